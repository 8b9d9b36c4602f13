//! Rubbish for every reader: no panic, no hanging, and an error wherever nothing is read.

use std::sync::Arc;

use choros_base::{MemorySources, SourceMap, has_errors};
use choros_bpel::document::{Library, QName};
use choros_bpel::problem::{read, tree_script};
use choros_bpel::wire::{Exchange, read_message};
use choros_bpel::wsdl::Definitions;
use choros_data::Terms;
use choros_testkit::{fuzz, seed_from_env};

const SCHEMA: &str = include_str!("../../../examples/solve/order.xsd");
const PROBLEM: &str = include_str!("../../../examples/solve/order.solve");
const WORDS: &str = include_str!("../../../examples/solve/words.solve");
const RECURSIVE: &str = "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' xmlns='urn:order' targetNamespace='urn:order'>\
    <xs:complexType name='Order'><xs:choice maxOccurs='2'><xs:element name='a' type='Order' minOccurs='0'/>\
    <xs:element name='b' type='xs:int' nillable='true'/></xs:choice></xs:complexType>\
    <xs:element name='order' type='Order'/><xs:group name='G'><xs:sequence><xs:group ref='G'/></xs:sequence></xs:group>\
    <xs:attributeGroup name='A'><xs:attributeGroup ref='A'/></xs:attributeGroup>\
    <xs:complexType name='E'><xs:complexContent><xs:extension base='E'><xs:group ref='G'/><xs:attributeGroup ref='A'/>\
    </xs:extension></xs:complexContent></xs:complexType></xs:schema>";
const WSDL: &str = "<definitions xmlns='http://schemas.xmlsoap.org/wsdl/' xmlns:xs='http://www.w3.org/2001/XMLSchema' \
    xmlns:t='urn:order' targetNamespace='urn:order' xmlns:soap='http://schemas.xmlsoap.org/wsdl/soap/'>\
    <import namespace='urn:order' location='other.xsd'/><types><xs:schema targetNamespace='urn:order'>\
    <xs:element name='order' type='xs:int'/></xs:schema></types>\
    <message name='in'><part name='p' element='t:order'/></message><portType name='P'><operation name='o'>\
    <input message='t:in'/><output message='t:in'/><fault name='f' message='t:in'/></operation></portType>\
    <binding name='B' type='t:P'><soap:binding style='rpc'/><operation name='o'><soap:operation soapAction='a'/>\
    <input><soap:body use='literal' namespace='urn:n'/></input></operation></binding>\
    <service name='S'><port name='p' binding='t:B'><soap:address location='http://h/'/></port></service>\
    <p:partnerLinkType xmlns:p='urn:p' name='L'><p:role name='r' portType='t:P'/></p:partnerLinkType>\
    <p:property xmlns:p='urn:p' name='q' type='xs:int'/>\
    <p:propertyAlias xmlns:p='urn:p' propertyName='t:q' messageType='t:in' part='p'><p:query>t:a</p:query></p:propertyAlias></definitions>";

#[test]
fn rubbish_documents() {
    let seed = seed_from_env();
    fuzz(seed, 3000, &[SCHEMA, RECURSIVE, WSDL], |text| {
        let mut files = MemorySources::default();
        files.add("x.xsd", text);
        files.add("other.xsd", SCHEMA);
        let mut sources = SourceMap::new();
        let mut library = Library::new(&files, &mut sources);
        let mut terms = Terms::new();
        let mut definitions = Definitions::default();
        definitions.read(&mut library, "x.xsd", None);
        let Some(document) = library.load("x.xsd", None) else {
            assert!(has_errors(&library.diagnostics));
            return;
        };
        let place = document.root().span();
        let elements: Vec<QName> = definitions.schema.element_names().cloned().collect();
        let types: Vec<QName> = definitions.schema.type_names().cloned().collect();
        let messages: Vec<QName> = definitions.messages.keys().cloned().collect();
        for name in &elements {
            let built = definitions
                .schema
                .element_type(&mut library, &mut terms, name, place);
            if let Some(id) = built {
                let _ = definitions.schema.constraint(&mut terms, id, "x");
            } else {
                assert!(
                    has_errors(&library.diagnostics),
                    "{name} is missing without a word"
                );
            }
        }
        for name in &types {
            let built = definitions
                .schema
                .named_type(&mut library, &mut terms, name, place);
            assert!(built.is_some() || has_errors(&library.diagnostics));
        }
        for name in &messages {
            let _ = definitions.message(&mut library, &mut terms, name, place);
        }
    });
}

#[test]
fn rubbish_problems() {
    let seed = seed_from_env();
    fuzz(
        seed,
        3000,
        &[
            PROBLEM,
            WORDS,
            "import \"x.wsdl\" var a: xs:int xpath \"$a = 1\"",
        ],
        |text| {
            let mut files = MemorySources::default();
            files.add("order.xsd", SCHEMA);
            files.add("x.wsdl", WSDL);
            files.add("other.xsd", RECURSIVE);
            let mut sources = SourceMap::new();
            let mut library = Library::new(&files, &mut sources);
            let mut terms = Terms::new();
            let problem = read(&mut library, &mut terms, "p.solve", text);
            assert_eq!(problem.is_none(), has_errors(&library.diagnostics));
            if let Some(problem) = problem {
                let _ = problem.background(&mut terms);
                let _ = tree_script(&terms, &problem, 1);
            }
        },
    );
}

#[test]
fn rubbish_envelopes() {
    let seed = seed_from_env();
    let mut files = MemorySources::default();
    files.add("x.wsdl", WSDL);
    files.add("other.xsd", RECURSIVE);
    files.add("order.xsd", SCHEMA);
    let mut sources = SourceMap::new();
    let mut library = Library::new(&files, &mut sources);
    let mut terms = Terms::new();
    let mut definitions = Definitions::default();
    definitions.read(&mut library, "order.xsd", None);
    definitions.read(&mut library, "x.wsdl", None);
    let name = QName::new("urn:order", "in");
    let span = definitions.messages[&name].span;
    let shape = definitions
        .message(&mut library, &mut terms, &name, span)
        .expect("it is declared");
    let faults = [(Arc::from("f"), shape.clone())];
    let item = "<item><article>x</article><pieces>2</pieces></item>";
    let order = format!(
        "<order xmlns='urn:order' currency='EUR'>{item}{item}<total>1.5</total><card>c</card></order>"
    );
    let corpus = [
        format!("<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Header/><s:Body>{order}</s:Body></s:Envelope>"),
        format!("<s:Envelope xmlns:s='http://www.w3.org/2003/05/soap-envelope'><s:Body><s:Fault><s:Code><s:Value>s:Sender</s:Value></s:Code><s:Reason><s:Text xml:lang='en'>x</s:Text></s:Reason><s:Detail>{order}</s:Detail></s:Fault></s:Body></s:Envelope>"),
        "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body><n:o xmlns:n='urn:n'><p>7</p></n:o></s:Body></s:Envelope>".to_owned(),
    ];
    let corpus: Vec<&str> = corpus.iter().map(String::as_str).collect();
    for operation in ["o", "none"] {
        let binding = definitions.operation_binding(&QName::new("urn:order", "P"), operation);
        fuzz(seed, 1500, &corpus, |text| {
            let read = read_message(
                &definitions.schema,
                &terms,
                &binding,
                Exchange::Call,
                &shape,
                &faults,
                text,
            );
            if let Err(errors) = read {
                assert!(!errors.is_empty());
            }
        });
    }
}

#[test]
fn a_document_of_a_hundred_megabytes_is_refused_at_once() {
    let mut files = MemorySources::default();
    files.add("x.xsd", "<a>".repeat(34_000_000));
    let mut sources = SourceMap::new();
    let mut library = Library::new(&files, &mut sources);
    assert!(library.load("x.xsd", None).is_none());
    assert_eq!(library.diagnostics[0].code.code, "CH1102");
}

//! Garbage for every reader: no panic, no hanging, and an error wherever nothing is read.

use std::sync::Arc;

use choros_base::{MemorySources, SourceMap, has_errors};
use choros_data::Terms;
use choros_testkit::{fuzz, seed_from_env};
use choros_xml::document::{Library, QName};
use choros_xml::wire::{EnvelopeKind, read_message};
use choros_xml::wsdl::Definitions;

const SCHEMA: &str = include_str!("../../../examples/solve/order.xsd");
const RECURSIVE: &str = include_str!("rubbish/recursive.xsd");
const WSDL: &str = include_str!("rubbish/rich.wsdl");

/// CHOROS_SEED=61190281039185583: a group that refers to nothing took its type away without a word.
#[test]
fn a_group_without_a_reference_is_reported() {
    for group in ["group", "attributeGroup"] {
        let text = format!(
            "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'><xs:element name='x'><xs:complexType><xs:{group}/>\
             </xs:complexType></xs:element></xs:schema>"
        );
        let mut files = MemorySources::default();
        files.add("x.xsd", text.as_str());
        let mut sources = SourceMap::new();
        let mut library = Library::new(&files, &mut sources);
        let mut definitions = Definitions::default();
        definitions.read(&mut library, "x.xsd", None);
        let document = library.load("x.xsd", None).expect("it is well-formed");
        let place = document.root().span();
        let name = QName::new("", "x");
        let schema = &mut definitions.schema;
        let built = schema.element_type(&mut library, &mut Terms::new(), &name, place);
        assert!(built.is_none(), "{group}");
        let said = &library.diagnostics[0].message;
        assert_eq!(*said, format!("`{group}` has no attribute `ref`"));
    }
}

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
                EnvelopeKind::Call,
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

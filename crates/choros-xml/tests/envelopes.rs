//! SOAP envelopes: document and rpc, faults, both versions, what is tolerated and what is reported.

use std::sync::Arc;

use choros_base::{MemorySources, SourceMap, has_errors};
use choros_data::{Terms, Value};
use choros_xml::document::{Library, QName};
use choros_xml::wire::{
    EnvelopeContent, EnvelopeKind, WireError, beyond_us, content_type, read_message, write_fault,
    write_message,
};
use choros_xml::wsdl::{Definitions, MessageShape, SoapVersion, Style};

const SHOP: &str = r#"
<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:shop"
    xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/"
    xmlns:plnk="http://docs.oasis-open.org/wsbpel/2.0/plnktype" xmlns:vprop="http://docs.oasis-open.org/wsbpel/2.0/varprop"
    targetNamespace="urn:shop">
  <types><xs:schema targetNamespace="urn:shop" elementFormDefault="qualified">
    <xs:element name="order"><xs:complexType><xs:sequence>
      <xs:element name="id" type="xs:int"/>
      <xs:element name="item" type="xs:string" minOccurs="0" maxOccurs="unbounded"/>
    </xs:sequence></xs:complexType></xs:element>
    <xs:element name="sold" type="xs:boolean"/>
    <xs:element name="price" type="xs:int"/>
    <xs:element name="refused" type="xs:string"/>
  </xs:schema></types>
  <message name="orderIn"><part name="body" element="t:order"/></message>
  <message name="orderOut"><part name="body" element="t:sold"/></message>
  <message name="refusal"><part name="why" element="t:refused"/></message>
  <message name="sumIn"><part name="a" type="xs:int"/><part name="b" type="xs:int"/></message>
  <message name="sale"><part name="price" element="t:price"/><part name="body" element="t:order"/></message>
  <message name="sumOut"><part name="result" type="xs:int"/></message>
  <portType name="Shop">
    <operation name="order"><input message="t:orderIn"/><output message="t:orderOut"/>
      <fault name="refusal" message="t:refusal"/></operation>
    <operation name="sum"><input message="t:sumIn"/><output message="t:sumOut"/></operation>
    <operation name="ping"><input message="t:sumOut"/></operation>
    <operation name="sell"><input message="t:sale"/><output message="t:sale"/></operation>
  </portType>
  <binding name="B" type="t:Shop"><soap:binding style="document" transport="http://schemas.xmlsoap.org/soap/http"/>
    <operation name="order"><soap:operation soapAction="urn:shop#order"/><input><soap:body use="literal"/></input></operation>
    <operation name="sum"><soap:operation soapAction="" style="rpc"/>
      <input><soap:body use="literal" namespace="urn:sum"/></input></operation>
    <operation name="sell"><soap:operation soapAction=""/>
      <input><soap:header message="t:sale" part="price" use="literal"/><soap:body parts="body" use="literal"/></input></operation>
  </binding>
  <service name="S"><port name="P" binding="t:B"><soap:address location="http://localhost:8080/shop"/></port></service>
  <plnk:partnerLinkType name="L"><plnk:role name="shop" portType="t:Shop"/></plnk:partnerLinkType>
  <vprop:property name="number" type="xs:int"/>
  <vprop:propertyAlias propertyName="t:number" messageType="t:orderIn" part="body"><vprop:query>t:id</vprop:query></vprop:propertyAlias>
</definitions>"#;

struct Shop {
    terms: Terms,
    definitions: Definitions,
    order: Arc<MessageShape>,
    sold: Arc<MessageShape>,
    refusal: Arc<MessageShape>,
    sum: Arc<MessageShape>,
    sale: Arc<MessageShape>,
}

fn shop() -> Shop {
    let mut files = MemorySources::default();
    files.add("shop.wsdl", SHOP);
    let mut sources = SourceMap::new();
    let mut library = Library::new(&files, &mut sources);
    let mut terms = Terms::new();
    let mut definitions = Definitions::default();
    definitions.read(&mut library, "shop.wsdl", None);
    let mut message = |name: &str| {
        let name = QName::new("urn:shop", name);
        let span = definitions.messages[&name].span;
        definitions
            .message(&mut library, &mut terms, &name, span)
            .expect("it is declared")
    };
    let (order, sold) = (message("orderIn"), message("orderOut"));
    let (refusal, sum) = (message("refusal"), message("sumIn"));
    let sale = message("sale");
    assert!(
        !has_errors(&library.diagnostics),
        "{:?}",
        library.diagnostics
    );
    Shop {
        terms,
        definitions,
        order,
        sold,
        refusal,
        sum,
        sale,
    }
}

fn port_type() -> QName {
    QName::new("urn:shop", "Shop")
}

impl Shop {
    fn order_value(&self) -> Value {
        let text = "<order xmlns='urn:shop'><id>7</id><item>a&amp;b</item><item> c</item></order>";
        let name = QName::new("urn:shop", "order");
        choros_xml::wire::read_text(
            &self.definitions.schema,
            &self.terms,
            &name,
            self.order.parts[0].holds,
            text,
        )
        .expect("it is right")
    }

    fn read_order(&self, text: &str) -> Result<EnvelopeContent, Vec<WireError>> {
        let binding = self.definitions.operation_binding(&port_type(), "order");
        read_message(
            &self.definitions.schema,
            &self.terms,
            &binding,
            EnvelopeKind::Call,
            &self.order,
            &[],
            text,
        )
    }
}

#[test]
fn what_a_document_declares_is_there() {
    let shop = shop();
    let definitions = &shop.definitions;
    let order = definitions
        .operation(&port_type(), "order")
        .expect("declared");
    assert_eq!(order.output, Some(QName::new("urn:shop", "orderOut")));
    assert_eq!(
        order.faults,
        [("refusal".into(), QName::new("urn:shop", "refusal"))]
    );
    let ping = definitions
        .operation(&port_type(), "ping")
        .expect("declared");
    assert_eq!(ping.output, None);
    assert_eq!(
        definitions.addresses(&port_type()),
        ["http://localhost:8080/shop"]
    );
    let links = &definitions.partner_link_types[&QName::new("urn:shop", "L")];
    assert_eq!(links.roles, [("shop".into(), port_type())]);
    let alias = definitions
        .alias(
            &QName::new("urn:shop", "number"),
            &QName::new("urn:shop", "orderIn"),
        )
        .expect("declared");
    assert_eq!(alias.query.as_ref().map(|it| &*it.text), Some("t:id"));
    assert_eq!(
        shop.terms.sort_text(shop.order.sort),
        "{id: Int, item: List(String)}"
    );
    assert_eq!(shop.terms.sort_text(shop.sum.sort), "{a: Int, b: Int}");
}

#[test]
fn a_document_message_goes_there_and_back() {
    let shop = shop();
    let binding = shop.definitions.operation_binding(&port_type(), "order");
    assert_eq!(
        (binding.style, binding.soap),
        (Style::Document, SoapVersion::V11)
    );
    assert_eq!(&*binding.action, "urn:shop#order");
    let value = shop.order_value();
    let text = write_message(
        &shop.definitions.schema,
        &shop.terms,
        &binding,
        EnvelopeKind::Call,
        &shop.order,
        &value,
    )
    .expect("it has a text");
    assert_eq!(
        text,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\">\n\
         \x20 <s:Body>\n\
         \x20   <order xmlns=\"urn:shop\">\n\
         \x20     <id>7</id>\n\
         \x20     <item>a&amp;b</item>\n\
         \x20     <item> c</item>\n\
         \x20   </order>\n\
         \x20 </s:Body>\n\
         </s:Envelope>\n"
    );
    assert_eq!(shop.read_order(&text), Ok(EnvelopeContent::Message(value)));
}

#[test]
fn an_rpc_message_has_an_element_per_part() {
    let shop = shop();
    let binding = shop.definitions.operation_binding(&port_type(), "sum");
    assert_eq!(
        (binding.style, &*binding.namespace),
        (Style::Rpc, "urn:sum")
    );
    let value = Value::Record {
        sort: shop.sum.sort,
        fields: vec![Value::int(3), Value::int(-4)],
    };
    let schema = &shop.definitions.schema;
    let text = write_message(
        schema,
        &shop.terms,
        &binding,
        EnvelopeKind::Call,
        &shop.sum,
        &value,
    )
    .expect("it has a text");
    assert!(
        text.contains("<o:sum xmlns:o=\"urn:sum\">\n      <a>3</a>\n      <b>-4</b>\n"),
        "{text}"
    );
    let read = |text: &str| {
        read_message(
            schema,
            &shop.terms,
            &binding,
            EnvelopeKind::Call,
            &shop.sum,
            &[],
            text,
        )
    };
    assert_eq!(read(&text), Ok(EnvelopeContent::Message(value)));
    let lacking = text.replace("<b>-4</b>", "");
    let errors = read(&lacking).expect_err("a part is missing");
    assert_eq!(errors[0].path, "Envelope/Body/sum");
    assert_eq!(errors[0].message, "the part `b` is missing");
}

#[test]
fn a_part_in_the_header_is_read_and_written_there() {
    let shop = shop();
    let binding = shop.definitions.operation_binding(&port_type(), "sell");
    let value = Value::Record {
        sort: shop.sale.sort,
        fields: vec![Value::int(3), shop.order_value()],
    };
    let schema = &shop.definitions.schema;
    let write = |kind| write_message(schema, &shop.terms, &binding, kind, &shop.sale, &value);
    let text = write(EnvelopeKind::Call).expect("it has a text");
    assert!(
        text.contains("\n  <s:Header>\n    <price xmlns=\"urn:shop\">3</price>\n  </s:Header>\n  <s:Body>\n    <order "),
        "{text}"
    );
    let read = |text: &str| {
        let kind = EnvelopeKind::Call;
        read_message(schema, &shop.terms, &binding, kind, &shop.sale, &[], text)
    };
    assert_eq!(read(&text), Ok(EnvelopeContent::Message(value.clone())));
    // Headers of others stand beside it, and each may say who must understand it.
    let other = "<s:Header><x:other xmlns:x=\"urn:x\"/>";
    let crowded = text
        .replace("<s:Header>", other)
        .replace("<price ", "<price s:mustUnderstand=\"1\" ");
    assert_eq!(read(&crowded), Ok(EnvelopeContent::Message(value.clone())));
    let lacking = text.replace("price", "prize");
    let errors = read(&lacking).expect_err("the header is missing");
    assert_eq!(
        errors[0].message,
        "`{urn:shop}price` is missing in the header"
    );
    // It is a header of the call only.
    let answer = write(EnvelopeKind::Answer).expect("it has a text");
    assert!(!answer.contains("Header"), "{answer}");
}

#[test]
fn faults_of_both_versions_are_recognised() {
    let shop = shop();
    let schema = &shop.definitions.schema;
    let binding = shop.definitions.operation_binding(&port_type(), "order");
    let faults = [(Arc::from("refusal"), shop.refusal.clone())];
    let why = Value::text("sold <out>");
    for (version, code) in [(SoapVersion::V11, "Server"), (SoapVersion::V12, "Receiver")] {
        let text = write_fault(
            schema,
            &shop.terms,
            version,
            "no & no",
            Some((&shop.refusal, &why)),
        )
        .expect("it has a text");
        let read = read_message(
            schema,
            &shop.terms,
            &binding,
            EnvelopeKind::Answer,
            &shop.sold,
            &faults,
            &text,
        );
        let Ok(EnvelopeContent::Fault(fault)) = read else {
            panic!("{read:?}\n{text}");
        };
        assert_eq!((&*fault.code, &*fault.reason), (code, "no & no"));
        assert_eq!(fault.detail, Some(("refusal".into(), why.clone())));
        // A fault that is none of the operation's has no detail that means anything.
        let read = read_message(
            schema,
            &shop.terms,
            &binding,
            EnvelopeKind::Answer,
            &shop.sold,
            &[],
            &text,
        );
        assert!(matches!(read, Ok(EnvelopeContent::Fault(fault)) if fault.detail.is_none()));
    }
    assert_eq!(
        content_type(SoapVersion::V11, "a"),
        "text/xml; charset=utf-8"
    );
    assert_eq!(
        content_type(SoapVersion::V12, "a"),
        "application/soap+xml; charset=utf-8; action=\"a\""
    );
}

#[test]
fn prefixes_comments_and_white_space_do_not_matter() {
    let shop = shop();
    let text = "<!-- a --><env:Envelope xmlns:env='http://www.w3.org/2003/05/soap-envelope' xmlns:q='urn:shop'>\n\
        <env:Header><q:token>1</q:token></env:Header>\n\
        <env:Body><!-- b --><q:order xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:type='x'>\n\
        <q:id> <!-- c --> 7\n</q:id><q:item>a&amp;b</q:item><q:item><![CDATA[ c]]></q:item></q:order></env:Body></env:Envelope>";
    assert_eq!(
        shop.read_order(text),
        Ok(EnvelopeContent::Message(shop.order_value()))
    );
}

#[test]
fn what_is_wrong_is_reported_with_path_and_place() {
    let shop = shop();
    let body = |inner: &str| {
        format!(
            "<Envelope xmlns='http://schemas.xmlsoap.org/soap/envelope/'><Body>\n{inner}</Body></Envelope>"
        )
    };
    let cases = [
        (
            "<order xmlns='urn:shop'><item>a</item><id>7</id></order>",
            "2:39: Envelope/Body/order: `id` should come before `item`",
        ),
        (
            "<order xmlns='urn:shop'><id>seven</id></order>",
            "2:29: Envelope/Body/order/id: `seven` is not a value of `int`",
        ),
        (
            "<order xmlns='urn:shop'><id>99999999999</id></order>",
            "2:29: Envelope/Body/order/id: it is too large: the bound is 2147483647",
        ),
        (
            "<order xmlns='urn:shop'><item>a</item></order>",
            "2:1: Envelope/Body/order: the element `id` is missing",
        ),
        (
            "<order xmlns='urn:shop'><id>1</id><id>2</id></order>",
            "2:1: Envelope/Body/order: the element `id` occurs 2 times, not once",
        ),
        (
            "<order xmlns='urn:shop'><id>1</id><extra/></order>",
            "2:35: Envelope/Body/order: the element `{urn:shop}extra` is not expected",
        ),
        (
            "<order xmlns='urn:shop'><id xmlns=''>1</id></order>",
            "2:25: Envelope/Body/order: `id` is not expected: it should be in the namespace `urn:shop`",
        ),
        (
            "<order xmlns='urn:shop' a='1'><id>1</id></order>",
            "2:28: Envelope/Body/order: the attribute `a` is not expected",
        ),
        (
            "<order xmlns='urn:shop'>text<id>1</id></order>",
            "2:25: Envelope/Body/order: text is not expected between elements",
        ),
        (
            "<order xmlns='urn:shop'><id><b/></id></order>",
            "2:29: Envelope/Body/order/id: `b` is not expected inside a text",
        ),
        (
            "<order xmlns='urn:shop'><id>1</id><item xmlns:i='http://www.w3.org/2001/XMLSchema-instance' i:nil='true'/></order>",
            "2:35: Envelope/Body/order/item[1]: it must have a value",
        ),
        (
            "<sold xmlns='urn:shop'>true</sold>",
            "2:1: Envelope/Body: `{urn:shop}order` is expected, not `{urn:shop}sold`",
        ),
        ("", "1:61: Envelope/Body: `{urn:shop}order` is missing"),
    ];
    for (inner, expected) in cases {
        let errors = shop.read_order(&body(inner)).expect_err(inner);
        assert!(
            errors.iter().any(|error| error.to_string() == expected),
            "{inner}: {:?}",
            errors.iter().map(ToString::to_string).collect::<Vec<_>>()
        );
    }
    for (text, expected) in [
        ("", "1:1: the document does not have a root node"),
        ("<a/>", "1:1: it is not a SOAP envelope"),
        (
            "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
            "1:1: a document type declaration is refused",
        ),
    ] {
        let errors = shop.read_order(text).expect_err(text);
        assert_eq!(errors[0].to_string(), expected, "{text}");
    }
}

#[test]
fn what_cannot_be_written_is_reported() {
    let shop = shop();
    let binding = shop.definitions.operation_binding(&port_type(), "order");
    let write = |value: &Value| {
        write_message(
            &shop.definitions.schema,
            &shop.terms,
            &binding,
            EnvelopeKind::Call,
            &shop.order,
            value,
        )
    };
    let Value::Record { sort, fields } = shop.order_value() else {
        unreachable!("an order is a record");
    };
    let large = Value::Record {
        sort,
        fields: vec![Value::int(1i64 << 40), fields[1].clone()],
    };
    let error = write(&large).expect_err("it is not an int");
    assert_eq!(
        error.to_string(),
        "order/id: it is too large: the bound is 2147483647"
    );
    let Value::List { sort: list, .. } = fields[1] else {
        unreachable!("items are a list");
    };
    let bell = Value::Record {
        sort,
        fields: vec![
            Value::int(1),
            Value::List {
                sort: list,
                items: vec![Value::text("\u{7}")],
            },
        ],
    };
    let error = write(&bell).expect_err("XML has no bells");
    assert_eq!(
        error.to_string(),
        "order/item[1]: the character '\\u{7}' cannot be written in XML"
    );
}

#[test]
fn a_fault_is_recognised_beside_other_details() {
    let shop = shop();
    let binding = shop.definitions.operation_binding(&port_type(), "order");
    let faults = [(Arc::from("refusal"), shop.refusal.clone())];
    // As Axis writes it.
    let text = "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'><e:Body><e:Fault>\
        <faultcode>e:Server.userException</faultcode><faultstring>no</faultstring><detail>\
        <h:hostname xmlns:h='http://xml.apache.org/axis/'>box</h:hostname>\
        <refused xmlns='urn:shop' e:encodingStyle=''>sold</refused></detail></e:Fault></e:Body></e:Envelope>";
    let read = read_message(
        &shop.definitions.schema,
        &shop.terms,
        &binding,
        EnvelopeKind::Answer,
        &shop.sold,
        &faults,
        text,
    );
    let Ok(EnvelopeContent::Fault(fault)) = read else {
        panic!("{read:?}");
    };
    assert_eq!(fault.detail, Some(("refusal".into(), Value::text("sold"))));
}

#[test]
fn what_is_beyond_our_values_is_not_wrong() {
    let shop = shop();
    let derived = "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'><e:Body>\
        <order xmlns='urn:shop' xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:type='special'>\
        <id>7</id><bonus>1</bonus></order></e:Body></e:Envelope>";
    let errors = shop.read_order(derived).expect_err("an unknown element");
    assert!(beyond_us(derived, &errors).is_some_and(|why| why.contains("xsi:type")));
    let plain = derived.replace(" xsi:type='special'", "");
    let errors = shop.read_order(&plain).expect_err("an unknown element");
    assert_eq!(beyond_us(&plain, &errors), None);
    let no_number = [WireError {
        path: "a".to_owned(),
        place: None,
        message: "`NaN` is not a value of `double`".to_owned(),
    }];
    assert!(beyond_us("<a>NaN</a>", &no_number).is_some());
}

//! Mistakes that people make: one process that keeps all rules, changed in one way at a time.
//!
//! Each change must be found, by the code of the rule that it breaks, and its message must name something in the text.

use choros_base::{Diagnostic, MemorySources, Severity, SourceMap, has_errors};
use choros_bpel::process::{Options, read_process};
use choros_data::Terms;
use choros_xml::document::Library;

const PROCESS: &str = include_str!("processes/order.bpel");
const DEFINITIONS: &str = include_str!("processes/s.wsdl");

/// What is done, the texts that are replaced, the code that finds it.
type Mistake = (
    &'static str,
    &'static [(&'static str, &'static str)],
    &'static str,
);

const MISTAKES: &[Mistake] = &[
    (
        "the event has the name of its variable wrong type",
        &[(
            r#"variable="query" messageType="t:m""#,
            r#"variable="query" messageType="t:two""#,
        )],
        "CH1487",
    ),
    (
        "a query of the event without type",
        &[(
            r#"variable="query" messageType="t:m""#,
            r#"variable="query""#,
        )],
        "CH1490",
    ),
    (
        "compensates the scope around",
        &[(
            r#"compensateScope target="booked""#,
            r#"compensateScope target="main""#,
        )],
        "CH1477",
    ),
    (
        "compensate moved into the body",
        &[(
            r#"<scope name="booked">"#,
            "<compensate/>\n        <scope name=\"booked\">",
        )],
        "CH1149",
    ),
    (
        "rethrow in an event handler",
        &[(
            r#"<scope><throw faultName="t:late"/></scope>"#,
            "<scope><rethrow/></scope>",
        )],
        "CH1149",
    ),
    (
        "a fault variable without type",
        &[(r#" faultMessageType="t:m""#, "")],
        "CH1481",
    ),
    (
        "a fault type without variable",
        &[(r#" faultVariable="why""#, "")],
        "CH1481",
    ),
    (
        "the same catch twice",
        &[(
            "<catchAll>",
            "<catch faultName=\"t:late\" faultVariable=\"again\" faultMessageType=\"t:m\"><empty/></catch>\n        <catchAll>",
        )],
        "CH1493",
    ),
    (
        "pattern of BPEL4WS 1.1 missing",
        &[(r#" pattern="request""#, "")],
        "CH1446",
    ),
    (
        "answer not stored",
        &[(r#" outputVariable="answer""#, "")],
        "CH1447",
    ),
    (
        "answer stored in a number",
        &[(r#"outputVariable="answer""#, r#"outputVariable="total""#)],
        "CH1448",
    ),
    (
        "a number is sent",
        &[(
            r#"operation="tell" inputVariable="answer""#,
            r#"operation="tell" inputVariable="total""#,
        )],
        "CH1448",
    ),
    (
        "a message copied to a number",
        &[(
            r#"<from variable="x"/><to variable="ask"/>"#,
            r#"<from variable="x"/><to variable="total"/>"#,
        )],
        "CH1443",
    ),
    (
        "a number copied to a message",
        &[(
            r#"<from variable="x"/><to variable="ask"/>"#,
            r#"<from>$total</from><to variable="ask"/>"#,
        )],
        "CH1443",
    ),
    (
        "a part of a number",
        &[(
            r#"<to variable="total"/>"#,
            r#"<to variable="total" part="n"/>"#,
        )],
        "CH1434",
    ),
    (
        "expression in the attribute variable and text",
        &[(r#"<from variable="x"/>"#, r#"<from variable="x">$x</from>"#)],
        "CH1432",
    ),
    (
        "assignment to an expression",
        &[("<to>$total</to>", "<to>number($total)</to>")],
        "CH1433",
    ),
    (
        "forgotten dollar sign",
        &[("<from>$total + 1</from>", "<from>total + 1</from>")],
        "CH1427",
    ),
    (
        "forgotten dollar in transition condition",
        &[("$total &gt; 1", "total &gt; 1")],
        "CH1427",
    ),
    (
        "a variable in a join condition",
        &[("<joinCondition>$second", "<joinCondition>$total &gt; 1")],
        "CH1473",
    ),
    (
        "another link in a join condition",
        &[(
            "<joinCondition>$second",
            "<joinCondition>$first and $second",
        )],
        "CH1473",
    ),
    (
        "one name for two links",
        &[(
            r#"<link name="first"/><link name="second"/>"#,
            r#"<link name="first"/><link name="first"/><link name="second"/>"#,
        )],
        "CH1464",
    ),
    (
        "counter declared again",
        &[(
            r#"<scope><invoke partnerLink="W" operation="tell" inputVariable="answer"/>"#,
            r#"<scope><variables><variable name="i" type="xs:int"/></variables><invoke partnerLink="W" operation="tell" inputVariable="answer"/>"#,
        )],
        "CH1476",
    ),
    (
        "counter with a dot",
        &[(r#"counterName="i""#, r#"counterName="i.1""#)],
        "CH1424",
    ),
    (
        "a second start in a later pick",
        &[("<pick>", r#"<pick createInstance="yes">"#)],
        "CH1456",
    ),
    (
        "a variable with two types",
        &[(
            r#"name="total" type="xs:int""#,
            r#"name="total" type="xs:int" element="t:e""#,
        )],
        "CH1425",
    ),
    (
        "a variable without type",
        &[(r#"name="total" type="xs:int""#, r#"name="total""#)],
        "CH1425",
    ),
    (
        "partner link without role",
        &[(
            r#"partnerLinkType="t:Other" partnerRole="worker""#,
            r#"partnerLinkType="t:Other""#,
        )],
        "CH1416",
    ),
    (
        "the role of the other side",
        &[(
            r#"partnerLinkType="t:Other" partnerRole="worker""#,
            r#"partnerLinkType="t:Other" myRole="worker""#,
        )],
        "CH1141",
    ),
    (
        "importing under another namespace",
        &[(
            r#"namespace="urn:t" location"#,
            r#"namespace="urn:tt" location"#,
        )],
        "CH1411",
    ),
    (
        "schema import type for WSDL",
        &[(
            r#"importType="http://schemas.xmlsoap.org/wsdl/""#,
            r#"importType="http://www.w3.org/2001/XMLSchema""#,
        )],
        "CH1413",
    ),
    (
        "correlation set declared twice",
        &[(
            r#"<correlationSet name="order" properties="t:p"/>"#,
            "<correlationSet name=\"order\" properties=\"t:p\"/>\n        <correlationSet name=\"order\" properties=\"t:p\"/>",
        )],
        "CH1444",
    ),
    (
        "correlation with a complex property",
        &[(r#"properties="t:p""#, r#"properties="t:q""#)],
        "CH1445",
    ),
    (
        "misspelt exchange",
        &[(
            r#"<reply partnerLink="USER" operation="o" variable="query""#,
            r#"<reply partnerLink="USER" operation="o" variable="query" messageExchange="mex""#,
        )],
        "CH1461",
    ),
    (
        "two scopes with one name",
        &[(
            "<scope><invoke partnerLink=\"W\" operation=\"tell\" inputVariable=\"answer\"/></scope>\n",
            "<scope name=\"booked\"><invoke partnerLink=\"W\" operation=\"tell\" inputVariable=\"answer\"/></scope>\n",
        )],
        "CH1492",
    ),
    (
        "an alarm handler that is empty",
        &[(
            r#"<onAlarm><for>'P1D'</for><scope><throw faultName="t:late"/></scope></onAlarm>"#,
            "<onAlarm><for>'P1D'</for></onAlarm>",
        )],
        "CH1140",
    ),
    (
        "a reply to a one-way operation",
        &[(
            r#"<reply partnerLink="USER" operation="o" variable="query"/>"#,
            r#"<reply partnerLink="USER" operation="b" variable="query"/>"#,
        )],
        "CH1142",
    ),
    (
        "exit on standard faults that are caught",
        &[
            (
                "<catchAll>",
                r#"<catch faultName="bpel:invalidVariables"><empty/></catch><catchAll>"#,
            ),
            (
                r#"<scope name="main">"#,
                r#"<scope name="main" exitOnStandardFault="yes">"#,
            ),
        ],
        "CH1403",
    ),
    (
        "a link against the order of a sequence",
        &[
            (
                r#"<link name="second"/></links>"#,
                r#"<link name="second"/></links><sequence>"#,
            ),
            ("</flow>", "</sequence></flow>"),
        ],
        "CH1472",
    ),
];

fn read(process: &str) -> Vec<Diagnostic> {
    let mut files = MemorySources::default();
    files.add("s.wsdl", DEFINITIONS.to_owned());
    let mut sources = SourceMap::new();
    let mut library = Library::new(&files, &mut sources);
    let mut terms = Terms::new();
    let document = library.add("p.bpel", process.into()).expect("a document");
    read_process(&mut library, &mut terms, &document, Options::default());
    library.diagnostics
}

#[test]
fn the_process_keeps_all_rules() {
    let found = read(PROCESS);
    assert!(!has_errors(&found), "{found:?}");
}

#[test]
fn every_mistake_is_found_by_its_rule() {
    for (title, changes, code) in MISTAKES {
        let mut process = PROCESS.to_owned();
        for (old, new) in *changes {
            assert!(process.contains(old), "{title}: no `{old}`");
            process = process.replacen(old, new, 1);
        }
        let found = read(&process);
        let error = found
            .iter()
            .find(|it| it.severity == Severity::Error && it.code.code == *code);
        let error = error.unwrap_or_else(|| panic!("{title}: {found:?}"));
        assert!(error.primary().is_some(), "{title}");
        let others = found.iter().filter(|it| it.code.code != *code).count();
        assert!(others <= 4, "{title}: {found:?}");
        if let Some(number) = code.strip_prefix("CH14") {
            let rule = format!("(SA000{number})");
            assert!(error.message.ends_with(&rule), "{title}: {}", error.message);
        }
    }
}

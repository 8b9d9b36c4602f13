//! Properties: reading, recovery, printing.

use choros_base::SourceMap;
use choros_data::Terms;
use choros_query::property::{MessageSchema, Properties, Sense, Window, print, read};
use choros_testkit::fuzz;

fn reading(text: &str) -> (Properties, Vec<String>) {
    let mut sources = SourceMap::new();
    let file = sources.add("p.prop", text);
    let mut terms = Terms::new();
    let (properties, diagnostics) = read(file, text, &MessageSchema::default(), &mut terms);
    let findings = diagnostics
        .iter()
        .map(|found| format!("{}: {}", found.code.code, found.message))
        .collect();
    (properties, findings)
}

const SHIPPING: &str = r#"// Example 14 of the thesis, and more.
property P1s on s { context Request[c,s]?(any) within 1 messages expect Response[s,c]!(any) }
property P2s on s {
  context     Request[c,s]?(weight = w)
  within 1 messages
  expect      Response[s,c]!(price = p, fee = f) where f == w * p
}
property P1a on a {
  context Commit[s,a]?(weight = x1, card = x2)
  within 1 messages
  expect Withdraw[a,b]!(card = y1, amount = y2) where y1 == x2 and (y2 == x1 * 2 or y2 == x1 * 3)
}
property notP11s on s {
  context Request[c,s]?()
  within 1 messages
  never Confirm[c,s]?(any) or Commit[s,a]!(any)
}
property timely on s {
  context Request[c,s]?(country.code = k, .at = t) where k == 33 Other[s,"b c"]!
  with order/number
  within 1.5 s per session
  expect any[s,any]!(items.0.price = i) where at - t <= 3600000 or i == OK or Late[s,c]
}
global property P1bar { when { P2s P1s } then { P1a } }
global property none { when { P2s } never { P1a, P1s } }
"#;

#[test]
fn the_text_form() {
    let (properties, findings) = reading(SHIPPING);
    assert_eq!(findings, Vec::<String>::new());
    assert_eq!(properties.local.len(), 5);
    let timely = properties.local("timely").unwrap();
    assert_eq!(timely.window, Window::Milliseconds(1500));
    assert!(timely.per_session);
    assert_eq!(timely.context.len(), 2);
    assert_eq!(timely.consequence.len(), 2);
    assert_eq!(
        timely.paths(),
        ["order.number", "country.code", "items.0.price"]
    );
    assert_eq!(properties.local("notP11s").unwrap().sense, Sense::Never);
    assert_eq!(properties.global[1].sense, Sense::Never);
    assert_eq!(properties.global[1].then, ["P1a", "P1s"]);
}

#[test]
fn printing_and_reading_are_inverse() {
    let (properties, _) = reading(SHIPPING);
    let text = print(&properties);
    let (again, findings) = reading(&text);
    assert_eq!(findings, Vec::<String>::new(), "{text}");
    assert_eq!(print(&again), text);
    assert!(
        text.contains("where at - t <= 3600000 or i == OK\n      or Late[s,c](any)"),
        "{text}"
    );
}

/// Random properties, printed, read and printed again.
#[test]
fn printing_and_reading_are_inverse_at_random() {
    let mut random = choros_testkit::Random::new(5);
    let names = [
        "Request", "any", "or", "within", "42", "a b", "per", "x\"y", "été",
    ];
    for _ in 0..500 {
        let mut pick = |from: &[&str]| -> String { from[random.below(from.len())].to_owned() };
        let quote = |text: &str| format!("{text:?}");
        let (operation, from, to) = (pick(&names), pick(&names), pick(&names));
        let sign = pick(&["?", "!", ""]);
        let window = pick(&["3 messages", "250 ms", "2 s", "7 min"]);
        let with = pick(&[
            "",
            "with session",
            "with id",
            "with \"id\"",
            "with a.\"b c\".0",
        ]);
        let per = pick(&["", "per session"]);
        let condition = pick(&[
            "",
            "where x > 0",
            "where x == \"a\" or x == \"b\"",
            "where at > 3 and not (x == OK)",
        ]);
        let sense = pick(&["expect", "never"]);
        let text = format!(
            "property {} on {} {{ context {}[{},{}]{sign}(a.b = x) {condition} {with} within {window} {per} {sense} {}[any,{}](.op = o) or B[c,d] }}",
            quote(&operation),
            quote(&from),
            quote(&operation),
            quote(&from),
            quote(&to),
            quote(&to),
            quote(&from)
        );
        let (first, findings) = reading(&text);
        let errors: Vec<&String> = findings
            .iter()
            .filter(|it| !it.starts_with("CH1009"))
            .collect();
        assert!(errors.is_empty(), "{text}: {errors:?}");
        let printed = print(&first);
        let (second, _) = reading(&printed);
        assert_eq!(print(&second), printed, "{text}");
        let (a, b) = (&first.local[0], &second.local[0]);
        assert_eq!(
            a.context[0].operation, b.context[0].operation,
            "{text}\n{printed}"
        );
        assert_eq!(
            (&a.correlation, a.window, a.per_session),
            (&b.correlation, b.window, b.per_session)
        );
    }
}

#[test]
fn mistakes_do_not_hide_each_other() {
    let (properties, findings) = reading(
        "property a on s { context R[c,s]?(w = x, v = x) within 0 messages expect A[s,c]!(f = f) where f == z }
         property b on s { within 1 messages expect A[s,c]! }
         property a on s { context R[s,c]! where x.y == 1 within 2 weeks expect A[s,c]! }
         property d on s { context R[c,s]?(w = w) within 1 messages expect A[s,c]!(v = v) where v.code == 3 }
         nonsense
         property c on s { context R[s,c]? within 1 messages expect A[s,c]! }
         global property g { when { aa } then { c } }",
    );
    let codes: Vec<&str> = findings.iter().map(|it| &it[..6]).collect();
    assert_eq!(
        codes,
        [
            "CH1002", "CH1001", "CH1001", "CH1001", "CH1004", "CH1003", "CH1003", "CH1008",
            "CH1009", "CH1005", "CH1006"
        ],
        "{findings:#?}"
    );
    assert_eq!(properties.local.len(), 4);
}

/// Listing 5.2 of the thesis, completed.
const LPROP1: &str = r#"<?xml version="1.0"?>
<properties>
  <namespaces><namespace prefix="tns" uri="http://example.com/osp"/></namespaces>
  <property name="lprop1" type="positive" distance="1">
    <context>
      <candidateEvent>
        <event direction="reception"/>
        <data><x1>from</x1><x2>to</x2><x3>tns:req/tns:amount</x3></data>
        <predicate><![CDATA[x1 == "buyer" and x2 == 'vendor' and number(x3) > 0]]></predicate>
      </candidateEvent>
    </context>
    <consequence>
      <candidateEvent>
        <event/>
        <data><y1>from</y1><y2>to</y2><y3>tns:sell/tns:amount</y3></data>
        <predicate>y1 == "vendor" and y2 == "warehouse" and x3 == y3</predicate>
      </candidateEvent>
    </consequence>
  </property>
  <property name="g" type="negative"><context><name>lprop1</name></context><consequence><name>lprop1</name></consequence></property>
</properties>"#;

#[test]
fn prop_testers_form() {
    let (properties, findings) = reading(LPROP1);
    assert_eq!(findings, Vec::<String>::new());
    assert_eq!(
        print(&properties),
        "property lprop1 {
  context any[any,any]?(.from = x1, .to = x2, req.amount = x3) where x1 == \"buyer\" and x2 == \"vendor\" and x3 > 0
  within 1 messages
  expect any[any,any](.from = y1, .to = y2, sell.amount = y3) where y1 == \"vendor\" and y2 == \"warehouse\" and x3 == y3
}

global property g {
  when { lprop1 }
  never { lprop1 }
}
"
    );
}

#[test]
fn xml_with_mistakes() {
    for (text, code) in [
        ("<properties><property/></properties>", "CH1007"),
        (
            "<properties><property name='p' type='odd'/></properties>",
            "CH1007",
        ),
        ("<log/>", "CH1007"),
        ("<properties>", "CH1007"),
        (
            "<properties><property name='p' distance='0'><context/><consequence/></property></properties>",
            "CH1002",
        ),
        (
            "<properties><property name='p' distance='1'><context><candidateEvent><data><x>a[1]</x></data></candidateEvent></context><consequence/></property></properties>",
            "CH1007",
        ),
    ] {
        let (_, findings) = reading(text);
        assert!(
            findings.iter().any(|it| it.starts_with(code)),
            "{text}: {findings:?}"
        );
    }
}

#[test]
fn no_text_brings_the_reader_down() {
    fuzz(3, 6000, &[SHIPPING, LPROP1], |text| {
        let (properties, findings) = reading(text);
        if findings.is_empty() {
            let printed = print(&properties);
            assert_eq!(print(&reading(&printed).0), printed);
        }
    });
}

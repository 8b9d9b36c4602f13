//! XPath on values against its translation to terms, and expressions of XPath 1.0 by hand.

mod random;

use std::collections::BTreeMap;
use std::sync::Arc;

use choros_base::{SourceMap, Span};
use choros_data::{Assignment, NoValue, Sort, Terms, Value};
use choros_testkit::{Random, fuzz, seed_from_env};
use choros_xml::document::Namespaces;
use choros_xml::xpath::{ExpressionPurpose, Scope, VariableType, WrittenExpression, Xpath};
use random::{Obedience, value, world};

fn written(text: &str) -> WrittenExpression {
    let file = SourceMap::new().add("x", text);
    let mut namespaces = Namespaces::default();
    namespaces.bind("t", "urn:s");
    WrittenExpression {
        text: text.into(),
        span: Span::new(file, 0, text.len() as u32),
        namespaces,
    }
}

/// The law: wherever a translated condition and the computation both have a value, it is the same.
#[test]
fn a_translated_condition_has_the_value_that_is_computed() {
    let seed = seed_from_env();
    let mut random = Random::new(seed);
    let (mut compared, mut refused) = (0, 0);
    let (mut holding, mut undefined) = (0, 0);
    for round in 0..1500 {
        let Some(mut world) = world(&mut random) else {
            continue;
        };
        let variables = BTreeMap::from([(Arc::from("x"), VariableType::Holds(world.holds))]);
        let text =
            random::expressions::condition(&mut random, &world.definitions.schema, world.holds, 2);
        let scope = Scope {
            definitions: &world.definitions,
            variables: &variables,
            context: None,
        };
        let (xpath, diagnostics) =
            Xpath::read(&written(&text), scope, ExpressionPurpose::Condition);
        let Some(xpath) = xpath else {
            panic!(
                "CHOROS_SEED={seed}, round {round}: {text}\n{diagnostics:#?}\n{}",
                world.text
            );
        };
        let subject = world
            .terms
            .named("x", world.definitions.schema.get(world.holds).sort);
        let terms_of = BTreeMap::from([(Arc::from("x"), subject)]);
        let Ok(formula) = xpath.condition(&mut world.terms, &terms_of, None) else {
            refused += 1;
            continue;
        };
        let Some(variable) = world.terms.as_variable(subject) else {
            unreachable!("it is a variable");
        };
        for _ in 0..6 {
            let value = value(
                &mut random,
                &world.definitions.schema,
                &world.terms,
                world.holds,
                Obedience::Valid,
            );
            let assignment = Assignment::from_iter([(variable, value.clone())]);
            let values = BTreeMap::from([(Arc::from("x"), value.clone())]);
            let computed = xpath.evaluate_condition(&values, None);
            match (world.terms.evaluate(formula, &assignment), computed) {
                (Ok(translated), Ok(computed)) => {
                    compared += 1;
                    holding += usize::from(computed);
                    assert_eq!(
                        translated,
                        Value::Bool(computed),
                        "CHOROS_SEED={seed}, round {round}: {text}\n{}\n{}",
                        world.terms.print(formula),
                        world.terms.print_value(&value)
                    );
                }
                (Err(NoValue::Undefined), _) | (_, Err(_)) => undefined += 1,
                (Err(other), _) => panic!("{other:?}"),
            }
        }
    }
    // The law says something only if it is put to the test often enough, and both ways.
    assert!(compared > 2000, "{compared} compared, {refused} refused");
    assert!(
        undefined * 4 < compared,
        "{undefined} undefined, {compared} compared"
    );
    assert!(
        holding * 10 > compared && holding * 10 < compared * 9,
        "{holding} of {compared}"
    );
}

/// Expressions without variables, with the values that XPath 1.0 gives them.
#[test]
fn expressions_have_the_values_of_the_standard() {
    let definitions = choros_xml::wsdl::Definitions::default();
    let variables = BTreeMap::new();
    let scope = Scope {
        definitions: &definitions,
        variables: &variables,
        context: None,
    };
    let cases = [
        // Section 3.5: mod is the remainder of a truncating division.
        ("5 mod 2 = 1", true),
        ("5 mod -2 = 1", true),
        ("-5 mod 2 = -1", true),
        ("-5 mod -2 = -1", true),
        ("1.5 mod 0.5 = 0", true),
        ("7 div 2 = 3.5", true),
        ("2 + 3 * 4 = 14", true),
        ("- - 2 = 2", true),
        ("1 = 1 = true()", true),
        ("3 > 2 > 1", false),
        // Section 4.2.
        ("substring-before('1999/04/01', '/') = '1999'", true),
        ("substring-after('1999/04/01', '/') = '04/01'", true),
        ("substring-after('1999/04/01', '19') = '99/04/01'", true),
        ("substring('12345', 2, 3) = '234'", true),
        ("substring('12345', 2) = '2345'", true),
        ("substring('12345', 1.5, 2.6) = '234'", true),
        ("substring('12345', 0, 3) = '12'", true),
        ("translate('bar', 'abc', 'ABC') = 'BAr'", true),
        ("translate('--aaa--', 'abc-', 'ABC') = 'AAA'", true),
        ("normalize-space('  a  b ') = 'a b'", true),
        ("string-length('é<') = 2", true),
        ("concat('a', 'b', 3) = 'ab3'", true),
        ("starts-with('abc', 'ab') and contains('abc', 'bc')", true),
        // Section 4.4.
        ("floor(-1.5) = -2", true),
        ("ceiling(-1.5) = -1", true),
        ("round(-1.5) = -1", true),
        ("round(2.5) = 3", true),
        ("number(' -2.50 ') = -2.5", true),
        ("number(true()) = 1", true),
        ("string(2.50) = '2.5'", true),
        ("string(-0.5) = '-0.5'", true),
        ("boolean('') or boolean(0)", false),
        ("'a' != 'b' and not('a' = 'b')", true),
        ("true() == true()", true),
        ("'1' = 1", true),
        ("true() = 'x'", true),
        ("false() < true()", true),
    ];
    for (text, expected) in cases {
        let (xpath, diagnostics) = Xpath::read(&written(text), scope, ExpressionPurpose::Condition);
        let Some(xpath) = xpath else {
            panic!("{text}: {diagnostics:#?}");
        };
        let computed = xpath.evaluate_condition(&BTreeMap::new(), None);
        assert_eq!(computed, Ok(expected), "{text}");
        // Where there is a term, it agrees.
        let mut terms = Terms::new();
        if let Ok(formula) = xpath.condition(&mut terms, &BTreeMap::new(), None) {
            let value = terms.evaluate(formula, &Assignment::default());
            assert_eq!(value, Ok(Value::Bool(expected)), "{text}");
        }
    }
}

#[test]
fn a_deep_expression_is_refused() {
    let definitions = choros_xml::wsdl::Definitions::default();
    let variables = BTreeMap::new();
    let scope = Scope {
        definitions: &definitions,
        variables: &variables,
        context: None,
    };
    for text in [
        format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000)),
        format!("{}1", "-".repeat(100_000)),
        vec!["1"; 100_000].join(" + "),
        vec!["1"; 100_000].join(" = "),
        "not(".repeat(100_000),
        format!("$x{}", "[1".repeat(100_000)),
    ] {
        let (xpath, diagnostics) =
            Xpath::read(&written(&text), scope, ExpressionPurpose::Condition);
        assert!(xpath.is_none() && !diagnostics.is_empty());
    }
    // A long conjunction is not deep.
    let text = vec!["1 = 1"; 10_000].join(" and ");
    assert!(
        Xpath::read(&written(&text), scope, ExpressionPurpose::Condition)
            .0
            .is_some()
    );
}

#[test]
fn rubbish_is_no_expression() {
    let seed = seed_from_env();
    let mut random = Random::new(seed);
    let Some(world) = (0..100).find_map(|_| world(&mut random)) else {
        panic!("no schema");
    };
    let variables = BTreeMap::from([(Arc::from("x"), VariableType::Holds(world.holds))]);
    let mut corpus: Vec<String> = (0..30)
        .map(|_| {
            random::expressions::condition(&mut random, &world.definitions.schema, world.holds, 2)
        })
        .collect();
    corpus.push("bpel:getVariableProperty('x', 't:p')/t:a[@b='1']".to_owned());
    corpus.push("substring(string($x), 2, 3) != translate('a', 'b', \"c\")".to_owned());
    let corpus: Vec<&str> = corpus.iter().map(String::as_str).collect();
    fuzz(seed, 3000, &corpus, |text| {
        let scope = Scope {
            definitions: &world.definitions,
            variables: &variables,
            context: None,
        };
        let (xpath, diagnostics) = Xpath::read(&written(text), scope, ExpressionPurpose::Value);
        assert_eq!(xpath.is_none(), choros_base::has_errors(&diagnostics));
        let Some(xpath) = xpath else {
            return;
        };
        let mut terms = world.terms.clone();
        let subject = terms.named("x", world.definitions.schema.get(world.holds).sort);
        let terms_of = BTreeMap::from([(Arc::from("x"), subject)]);
        let _ = xpath.condition(&mut terms, &terms_of, None);
        for sort in [Sort::BOOL, Sort::INT, Sort::REAL, Sort::STRING] {
            if let Ok(term) = xpath.value(&mut terms, &terms_of, None, sort) {
                assert_eq!(terms.sort_of(term), sort);
            }
        }
        if let Ok(target) = xpath.target() {
            let sort = target.sort(&terms, terms.sort_of(subject));
            let value = terms.named("new", sort);
            let updated = target.update(&mut terms, subject, value);
            assert_eq!(terms.sort_of(updated), terms.sort_of(subject));
        }
    });
}

/// Fact 31: what is not assigned keeps its value (the frame that the thesis' rule forgets).
#[test]
fn an_assignment_keeps_the_rest() {
    let schema = "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' targetNamespace='urn:s'>\
        <xs:element name='root'><xs:complexType><xs:sequence><xs:element name='a' type='xs:int'/>\
        <xs:element name='b' type='xs:int'/><xs:element name='c' minOccurs='0'><xs:complexType><xs:sequence>\
        <xs:element name='d' type='xs:string'/><xs:element name='e' type='xs:int' minOccurs='0'/>\
        </xs:sequence></xs:complexType></xs:element><xs:element name='many' type='xs:int' maxOccurs='9'/>\
        </xs:sequence></xs:complexType></xs:element></xs:schema>";
    let mut world = random::world_of(schema.to_owned()).expect("it is right");
    let variables = BTreeMap::from([(Arc::from("x"), VariableType::Holds(world.holds))]);
    let subject = world
        .terms
        .named("x", world.definitions.schema.get(world.holds).sort);
    let read = |text: &str| {
        let scope = Scope {
            definitions: &world.definitions,
            variables: &variables,
            context: None,
        };
        let (xpath, diagnostics) = Xpath::read(&written(text), scope, ExpressionPurpose::Value);
        xpath.unwrap_or_else(|| panic!("{text}: {diagnostics:#?}"))
    };
    let value_of = |text: &str| {
        choros_xml::wire::read_text(
            &world.definitions.schema,
            &world.terms,
            &world.root,
            world.holds,
            text,
        )
        .expect("it is right")
    };
    let before = value_of(
        "<t:root xmlns:t='urn:s'><a>1</a><b>2</b><c><d>x</d><e>3</e></c><many>4</many></t:root>",
    );
    let cases = [
        (
            "$x/a",
            "$x/b + 5",
            "<a>7</a><b>2</b><c><d>x</d><e>3</e></c><many>4</many>",
        ),
        (
            "$x/c/d",
            "concat($x/c/d, '!')",
            "<a>1</a><b>2</b><c><d>x!</d><e>3</e></c><many>4</many>",
        ),
        (
            "$x/c[1]/e",
            "$x/many[1]",
            "<a>1</a><b>2</b><c><d>x</d><e>4</e></c><many>4</many>",
        ),
        (
            "$x/b",
            "'12'",
            "<a>1</a><b>12</b><c><d>x</d><e>3</e></c><many>4</many>",
        ),
        (
            "$x",
            "$x",
            "<a>1</a><b>2</b><c><d>x</d><e>3</e></c><many>4</many>",
        ),
    ];
    let cases = cases.map(|(to, from, after)| {
        let after = value_of(&format!("<t:root xmlns:t='urn:s'>{after}</t:root>"));
        (to, read(to), from, read(from), after)
    });
    let refused = read("$x/many").target().expect_err("which of them?");
    assert_eq!(refused.code.code, "CH1119");
    assert!(read("$x/a + 1").target().is_err());
    let terms_of = BTreeMap::from([(Arc::from("x"), subject)]);
    let terms = &mut world.terms;
    for (to, target, from, source, after) in cases {
        let target = target.target().expect("it is a place");
        let sort = target.sort(terms, terms.sort_of(subject));
        let value = source
            .value(terms, &terms_of, None, sort)
            .expect("it has a term");
        let updated = target.update(terms, subject, value);
        let variable = terms.as_variable(subject).expect("it is a variable");
        let assignment = Assignment::from_iter([(variable, before.clone())]);
        assert_eq!(
            terms.evaluate(updated, &assignment),
            Ok(after),
            "{to} := {from}"
        );
    }
}

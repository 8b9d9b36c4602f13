//! Conditions over messages against the evaluator of terms.

use choros_base::SourceMap;
use choros_data::{Assignment, Terms, Value};
use choros_model::observation::{Datum, Number, Observation, Rational};
use choros_model::stg::Direction;
use choros_monitor::{Config, Monitor, Outcome};
use choros_query::property::{MessageSchema, read};
use choros_testkit::Random;

fn expression(random: &mut Random, depth: usize) -> String {
    if depth == 0 {
        return ["x", "y", "2", "0.5", "-3", "1"][random.below(6)].to_owned();
    }
    let (left, right) = (expression(random, depth - 1), expression(random, depth - 1));
    let sign = ["+", "-", "*", "/"][random.below(4)];
    format!("({left} {sign} {right})")
}

fn condition(random: &mut Random, depth: usize) -> String {
    if depth == 0 {
        let (left, right) = (expression(random, 1), expression(random, 2));
        let sign = ["==", "!=", "<", "<=", ">", ">="][random.below(6)];
        return format!("{left} {sign} {right}");
    }
    let (left, right) = (condition(random, depth - 1), condition(random, depth - 1));
    match random.below(4) {
        0 => format!("({left} and {right})"),
        1 => format!("({left} or {right})"),
        2 => format!("({left} => {right})"),
        _ => format!("not ({left})"),
    }
}

#[test]
fn conditions_mean_what_the_data_language_says() {
    let mut random = Random::new(choros_testkit::seed_from_env());
    let mut truths = [0, 0];
    for round in 0..2000 {
        let mut terms = Terms::new();
        let text = format!(
            "property p on s {{ context A[c,s]?(x = x) within 1 messages expect B[s,c]!(y = y) where {} }}",
            condition(&mut random, 2)
        );
        let mut sources = SourceMap::new();
        let file = sources.add("p.prop", text.as_str());
        let (properties, found) = read(file, &text, &MessageSchema::default(), &mut terms);
        assert!(found.is_empty(), "{text}: {found:?}");
        let property = &properties.local[0];
        let term = property.consequence[0]
            .condition
            .as_ref()
            .unwrap()
            .term
            .unwrap();
        let value = |random: &mut Random| {
            let numerator = random.below(9) as i64 - 4;
            Number::from(numerator)
                .divided_by(&Number::from([1, 2, 10][random.below(3)]))
                .unwrap()
        };
        let (x, y) = (value(&mut random), value(&mut random));
        let mut assignment = Assignment::default();
        for (event, number) in [(&property.context[0], &x), (&property.consequence[0], &y)] {
            let rational: Rational = number.rational();
            assignment.insert(event.bindings[0].var.unwrap(), Value::Real(rational));
        }
        let expected = terms.condition_holds(term, &assignment).unwrap();
        let mut monitor = Monitor::new(&properties, &terms, Config::default()).unwrap();
        monitor.observe(
            &Observation::new("A", "c", "s", Direction::Receive)
                .with("x", Datum::Number(x.clone())),
        );
        monitor.observe(
            &Observation::new("B", "s", "c", Direction::Send)
                .with("y", Datum::Untyped(y.to_string().into())),
        );
        let outcome = monitor.verdicts()[0].outcome;
        assert_eq!(
            outcome == Outcome::Pass,
            expected,
            "round {round}: {text} with x = {x}, y = {y}"
        );
        truths[usize::from(expected)] += 1;
    }
    assert!(truths.iter().all(|&count| count > 200), "{truths:?}");
}

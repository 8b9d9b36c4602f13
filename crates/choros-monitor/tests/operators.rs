//! Every operator with every kind of undefined argument, as a monitor understands it.

use choros_base::SourceMap;
use choros_data::{Terms, Value};
use choros_model::observation::{Datum, Number, Observation};
use choros_model::stg::Direction;
use choros_monitor::{Config, Monitor, Outcome};
use choros_query::property::{MessageSchema, read};
use choros_testkit::OperatorTable;

#[test]
fn a_message_does_not_validate_an_event_whose_condition_is_undefined() {
    let table = OperatorTable::new(&mut Terms::new());
    let mut judged = 0;
    for case in table.cases.iter().filter(|case| !case.has_structure) {
        let mut terms = Terms::new();
        let used = table
            .values
            .iter()
            .filter(|(name, ..)| case.text.contains(name));
        let bindings: Vec<String> = used
            .clone()
            .map(|(name, ..)| format!("{name} = {name}"))
            .collect();
        let text = format!(
            "property p on s {{ context A[c,s]?(any) within 1 messages expect B[s,c]!({}) where {} }}",
            bindings.join(", "),
            case.text
        );
        let mut sources = SourceMap::new();
        let file = sources.add("p.prop", text.as_str());
        let (properties, found) = read(file, &text, &MessageSchema::default(), &mut terms);
        assert!(found.is_empty(), "{text}: {found:?}");
        let mut monitor = Monitor::new(&properties, &terms, Config::default()).unwrap();
        monitor.observe(&Observation::new("A", "c", "s", Direction::Receive));
        let mut answer = Observation::new("B", "s", "c", Direction::Send);
        for (name, _, value) in used {
            let datum = match value {
                Value::Bool(value) => Datum::Bool(*value),
                Value::Int(value) => Datum::Number(Number::parse(&value.to_string()).unwrap()),
                Value::Real(value) => Datum::Number(Number::from(value.clone())),
                Value::String(text) => Datum::Text(text.to_string().into()),
                other => panic!("{other:?}"),
            };
            answer = answer.with(*name, datum);
        }
        monitor.observe(&answer);
        let holds = monitor.verdicts()[0].outcome == Outcome::Pass;
        assert_eq!(holds, case.holds, "{}", case.text);
        judged += 1;
    }
    assert!(judged > 500, "{judged}");
}

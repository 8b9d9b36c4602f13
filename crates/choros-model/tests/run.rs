//! Concrete runs: order of evaluation, refusals, and the trace that is told.

use choros_base::SourceMap;
use choros_data::{Assignment, NoValue, Terms, Value, Var};
use choros_model::evidence::{Binding, StepEvent};
use choros_model::stg::run::{Refusal, RunStep, enabled, fire, may_end, replay, start};
use choros_model::stg::{Direction, EdgeId, Stg, read_stg};

fn read(text: &str, terms: &mut Terms) -> Stg {
    let mut map = SourceMap::new();
    let file = map.add("test.stg", text);
    let (stg, diagnostics) = read_stg(file, text, terms);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    stg
}

fn variable(stg: &Stg, name: &str, terms: &Terms) -> Var {
    let mut all = stg.variables(terms).into_iter();
    let found = all.find(|&variable| terms.variable_text(variable) == name);
    found.expect("it occurs")
}

fn choice(edge: u32, brought: &[i64]) -> RunStep {
    RunStep {
        edge: EdgeId(edge),
        bound_values: brought.iter().map(|&value| Value::int(value)).collect(),
    }
}

fn values(stg: &Stg, given: &[(&str, i64)], terms: &Terms) -> Assignment {
    given
        .iter()
        .map(|&(name, value)| (variable(stg, name, terms), Value::int(value)))
        .collect()
}

/// Free fields see the values before, updates see what was bound and assigned before them.
const ORDER: &str = "\
stg order explicit
initial 0
0 -> 1: [x == 1] m[a,b].(old = x, new = <x>) / y := x; x := y + 1; z := x
1: end [z == 11]
";

#[test]
fn events_read_then_bind_then_updates_follow_each_other() {
    let mut terms = Terms::new();
    let stg = read(ORDER, &mut terms);
    let before = start(&stg, values(&stg, &[("x", 1)], &terms));
    let fired = fire(&stg, &before, &choice(0, &[10]), &terms).expect("it fires");
    assert_eq!(fired.carried, [Value::int(1), Value::int(10)]);
    assert_eq!(
        fired.state.values,
        values(&stg, &[("x", 11), ("y", 10), ("z", 11)], &terms)
    );
    assert_eq!(may_end(&stg, &fired.state, &terms), Ok(true));
    assert_eq!(enabled(&stg, &fired.state, &terms), Ok(vec![]));
}

#[test]
fn a_trace_is_told_with_its_values() {
    let mut terms = Terms::new();
    let stg = read(ORDER, &mut terms);
    let parameters = values(&stg, &[("x", 1)], &terms);
    let (after, trace) = replay(&stg, parameters, &[choice(0, &[10])], &terms).expect("it runs");
    assert_eq!(after.node, stg.edges()[0].target);
    let binding = |variable: &str, value: &str| Binding {
        variable: variable.into(),
        value: value.into(),
    };
    assert_eq!(trace.start, [binding("x", "1")]);
    let step = &trace.steps[0];
    assert_eq!(
        step.event,
        StepEvent::Message {
            operation: "m".into(),
            from: "a".into(),
            to: "b".into(),
            direction: Direction::Interaction,
            fields: vec![("old".into(), "1".into()), ("new".into(), "10".into())],
        }
    );
    assert_eq!(step.guard.as_deref(), Some("x == 1"));
    assert_eq!(
        step.bindings,
        [binding("x", "11"), binding("y", "10"), binding("z", "11")]
    );
    assert_eq!(step.states, Some(("0".into(), "1".into())));
    assert!(step.origin.is_some());
}

#[test]
fn what_cannot_happen_is_refused_with_its_reason() {
    let mut terms = Terms::new();
    let stg = read(
        "\
stg g explicit
initial 0
0 -> 0: [x < 5] m[a,b]?<x> / y := 10 div x
0 -> 1: tau
1 -> 1: tau
",
        &mut terms,
    );
    let x = variable(&stg, "x", &terms);
    let at = |value: i64| start(&stg, values(&stg, &[("x", value)], &terms));
    let refusal = |before, choice: &RunStep| fire(&stg, &before, choice, &terms).expect_err("no");
    assert_eq!(refusal(at(7), &choice(0, &[1])), Refusal::Guard);
    assert_eq!(
        refusal(at(0), &choice(0, &[])),
        Refusal::Count {
            expected: 1,
            given: 0
        }
    );
    assert_eq!(refusal(at(0), &choice(2, &[])), Refusal::Elsewhere);
    assert_eq!(refusal(at(0), &choice(9, &[])), Refusal::Elsewhere);
    let text = RunStep {
        edge: EdgeId(0),
        bound_values: vec![Value::text("no")],
    };
    assert_eq!(refusal(at(0), &text), Refusal::Sort(x));
    assert_eq!(
        refusal(start(&stg, Assignment::default()), &choice(0, &[1])),
        Refusal::NoValue(NoValue::Unassigned(x))
    );
    // What is received now decides whether the update is defined, not what x was before.
    assert_eq!(
        refusal(at(1), &choice(0, &[0])),
        Refusal::NoValue(NoValue::Undefined)
    );
    assert!(fire(&stg, &at(0), &choice(0, &[2]), &terms).is_ok());
    let steps = [choice(0, &[2]), choice(1, &[]), choice(1, &[])];
    let parameters = values(&stg, &[("x", 0)], &terms);
    assert_eq!(
        replay(&stg, parameters, &steps, &terms).expect_err("the last starts elsewhere"),
        (2, Refusal::Elsewhere)
    );
    let accepted = stg.edges()[0].accepts(&mut terms);
    assert_eq!(terms.print(accepted), "x != 0");
}

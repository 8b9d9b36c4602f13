//! Conditions on a parameter against its naive twin, which tries values of the parameter one by one.

use choros_base::Budget;
use choros_data::{Assignment, Op, Sort, Term, Terms, Value, Var};
use choros_model::Observed;
use choros_model::observation::{Datum, Number, Observation};
use choros_model::stg::run::{RunState, RunStep, fire, start};
use choros_model::stg::{
    Direction, Edge, Ending, Event, Field, FieldValue, Message, NodeId, Operation, Role, Stg,
    StgBuilder, Update,
};
use choros_monitor::audit::{
    Auditing, CrossingMessages, Empty, Hypothesis, Integers, Log, MessageMoment, Network, Order,
    Projection, Runs, Sessions, audit,
};
use choros_testkit::{Random, seed_from_env};

const VALUES: std::ops::RangeInclusive<i64> = -2..=4;

struct Names {
    parameter: Var,
    variables: [Var; 2],
    label: choros_base::Name,
}

fn value(random: &mut Random, names: &Names, terms: &mut Terms) -> Term {
    match random.below(4) {
        0 => terms.var(names.parameter),
        1 => terms.int(random.between(-1, 3)),
        _ => {
            let variable = *random.pick(&names.variables);
            terms.var(variable)
        }
    }
}

fn graph(random: &mut Random, names: &Names, terms: &mut Terms) -> Stg {
    let nodes = 2 + random.below(3);
    let mut builder = StgBuilder::new("random", Ending::Explicit);
    for node in 0..nodes {
        let id = builder.node(node.to_string());
        if random.percent(40) {
            builder.terminate(terms, id, Term::TRUE, None);
        }
    }
    for _ in 0..2 * nodes {
        let guard = if random.percent(50) {
            let op = *random.pick(&[Op::Less, Op::LessEqual, Op::Equal, Op::NotEqual]);
            let (left, right) = (value(random, names, terms), value(random, names, terms));
            terms.compare(op, left, right)
        } else {
            Term::TRUE
        };
        let carried = if random.percent(50) {
            FieldValue::Bind(*random.pick(&names.variables))
        } else {
            FieldValue::Free(value(random, names, terms))
        };
        let updates = if random.percent(30) {
            let (left, right) = (value(random, names, terms), value(random, names, terms));
            vec![Update {
                variable: *random.pick(&names.variables),
                value: terms.arithmetic(Op::Add, left, right),
            }]
        } else {
            Vec::new()
        };
        let operation = *random.pick(&["m", "n"]);
        let operation = terms.names.intern(operation);
        let edge = Edge {
            source: NodeId(random.below(nodes) as u32),
            target: NodeId(random.below(nodes) as u32),
            guard,
            event: Event::Message(Message {
                operation: Operation(operation),
                from: Role(terms.names.intern("a")),
                to: Role(terms.names.intern("b")),
                direction: Direction::Send,
                fault: None,
                fields: vec![Field {
                    label: Some(names.label),
                    value: carried,
                }],
            }),
            updates,
            origin: None,
        };
        builder.edge(terms, edge);
    }
    builder.finish_as_built(NodeId(0))
}

/// Whether some run with this value of the parameter sends just these.
fn conforms(stg: &Stg, log: &[(&str, i64)], parameters: &Assignment, terms: &Terms) -> bool {
    let mut at: Vec<RunState> = vec![start(stg, parameters.clone())];
    for &(operation, number) in log {
        let mut next = Vec::new();
        for situation in &at {
            for (edge, it) in stg.outgoing(situation.node) {
                let message = it.event.message().unwrap();
                if terms.names.text(message.operation.0) != operation {
                    continue;
                }
                let brought = it
                    .event
                    .bound_variables()
                    .map(|_| Value::int(number))
                    .collect();
                if let Ok(fired) = fire(
                    stg,
                    situation,
                    &RunStep {
                        edge,
                        bound_values: brought,
                    },
                    terms,
                ) && fired.carried == [Value::int(number)]
                {
                    next.push(fired.state);
                }
            }
        }
        at = next;
    }
    !at.is_empty()
}

#[test]
fn the_condition_holds_for_just_the_values_that_explain_the_log() {
    let Ok(mut solver) = choros_smt::find() else {
        return;
    };
    let mut terms = Terms::new();
    let names = Names {
        parameter: {
            let name = terms.names.intern("p");
            terms.variable(name, Sort::INT)
        },
        variables: ["x", "y"].map(|name| {
            let name = terms.names.intern(name);
            terms.variable(name, Sort::INT)
        }),
        label: terms.names.intern("v"),
    };
    let mut random = Random::new(seed_from_env());
    let (mut conditional, mut wrong, mut right) = (0, 0, 0);
    for _ in 0..4_000 {
        let stg = graph(&mut random, &names, &mut terms);
        // Variables that are read before they are written are parameters too; the twin tries one parameter only.
        let others = stg.parameters(&terms);
        if others.iter().any(|it| *it != names.parameter) {
            continue;
        }
        let log: Vec<(&str, i64)> = (0..random.below(4))
            .map(|_| (*random.pick(&["m", "n"]), random.between(-1, 3)))
            .collect();
        let known = |operation: &str| {
            let mut messages = stg.messages();
            messages.any(|it| terms.names.text(it.operation.0) == operation)
        };
        let log: Vec<(&str, i64)> = log.into_iter().filter(|it| known(it.0)).collect();
        let file = Log {
            role: "a".to_owned(),
            source: "a.jsonl".to_owned(),
            hypothesis: Hypothesis::Cut,
            promises_data: false,
            observations: log
                .iter()
                .map(|&(operation, number)| {
                    Observation::new(operation, "a", "b", Direction::Send)
                        .with("v", Datum::Number(Number::from(number)))
                })
                .collect(),
        };
        let how = Auditing {
            order: Order::Local,
            reading: MessageMoment::Whole,
            crossing: CrossingMessages::Fails,
            sessions: Sessions::One,
            runs: Runs::MayBeUnfinished,
            projection: Projection::Remembering,
            empty: Empty::Conforms,
            network: Network::Once,
            integers: Integers::Declared,
            tolerance: 100,
            limit: 10_000,
        };
        let found = audit(
            &stg,
            &[file],
            &how,
            &mut terms,
            &mut *solver,
            &Budget::unlimited(),
        )
        .unwrap();
        let Some(result) = found.results.first() else {
            continue;
        };
        for number in VALUES {
            let parameters: Assignment = [(names.parameter, Value::int(number))]
                .into_iter()
                .collect();
            let expected = conforms(&stg, &log, &parameters, &terms);
            let claimed = match &result.verdict {
                Observed::Holds { .. } | Observed::Empty { .. } => true,
                Observed::Fails { .. } => false,
                Observed::HoldsIf { condition, .. } => {
                    terms.evaluate_guard(*condition, &parameters).unwrap()
                }
                Observed::Unknown(unknown) => panic!("{}", unknown.reason),
            };
            assert_eq!(
                claimed, expected,
                "p = {number}, {log:?}, {:?}",
                result.verdict
            );
        }
        match result.verdict {
            Observed::HoldsIf { .. } => conditional += 1,
            Observed::Fails { .. } => wrong += 1,
            _ => right += 1,
        }
    }
    assert!(
        conditional > 5 && wrong > 5 && right > 5,
        "{conditional} {wrong} {right}"
    );
}

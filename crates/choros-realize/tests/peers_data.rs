//! The mode `peers` with data against the same protocol without: every message with a truth value becomes two.
//!
//! Two truth values are sent around and decide; the twin has a state for each of their values, so it needs no solver
//! and no formula.

use std::collections::BTreeMap;

use choros_base::Budget;
use choros_data::{Sort, Term, Terms, Var};
use choros_model::Verdict;
use choros_model::stg::{
    Direction, Edge, Ending, Event, Field, FieldValue, Message, NodeId, Operation, Role, Stg,
    StgBuilder,
};
use choros_realize::peers;

use choros_testkit::{Random, seed_from_env};

#[test]
fn data_say_what_labels_say() {
    compare(150);
}

#[test]
#[ignore = "the large budget of `make soak`"]
fn data_say_what_labels_say_for_long() {
    compare(5_000);
}

fn compare(rounds: u64) {
    let seed = seed_from_env();
    let (mut holds, mut fails) = (0, 0);
    for round in 0..rounds {
        let mut terms = Terms::new();
        let mut solver =
            choros_smt::find().expect("the tests need a solver: run scripts/setup-solvers.sh");
        let mut random = Random::new(seed.wrapping_add(round));
        let protocol = Protocol::random(&mut random);
        let symbolic = protocol.symbolic(&mut terms);
        let expanded = protocol.expanded(&mut terms);
        let budget = Budget::unlimited();
        let one = peers(&symbolic, &mut terms, &mut *solver, &budget).expect("a solver");
        let other = peers(&expanded, &mut terms, &mut *solver, &budget).expect("a solver");
        let told = format!(
            "seed {seed}, round {round}: {} ({}), expanded {} ({})",
            one.verdict.word(),
            one.reason,
            other.verdict.word(),
            other.reason
        );
        match (&one.verdict, &other.verdict) {
            (Verdict::Holds(_), Verdict::Holds(_)) => holds += 1,
            (Verdict::Fails(_), Verdict::Fails(_)) => fails += 1,
            (Verdict::Unknown(_), _) => {}
            _ => panic!("{told}"),
        }
    }
    // Otherwise the assertions would have nothing to say.
    assert!(holds > rounds / 20, "only {holds} hold");
    assert!(fails > rounds / 20, "only {fails} fail");
}

/// The roles are 0 to 2, the variables 0 and 1.
struct Protocol {
    nodes: usize,
    steps: Vec<Step>,
}

struct Step {
    source: usize,
    target: usize,
    from: usize,
    to: usize,
    operation: usize,
    guard: Guard,
    carries: Carries,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Guard {
    Always,
    Is(usize, bool),
    Equal(bool),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Carries {
    Nothing,
    New(usize),
    Known(usize),
}

impl Protocol {
    fn random(random: &mut Random) -> Protocol {
        let nodes = 4 + random.below(4);
        let senders: Vec<usize> = (0..nodes).map(|_| random.below(3)).collect();
        let mut steps: Vec<Step> = Vec::new();
        let mut add = |source: usize, target: usize, guard, carries, random: &mut Random| {
            let from = senders[source];
            let to = (from + 1 + random.below(2)) % 3;
            // A message has the same fields wherever it occurs.
            let operation = match carries {
                Carries::Nothing => random.below(2),
                _ => 2 + random.below(2),
            };
            steps.push(Step {
                source,
                target,
                from,
                to,
                operation,
                guard,
                carries,
            });
        };
        // Both have a value before anything is decided.
        add(0, 1, Guard::Always, Carries::New(0), random);
        add(1, 2, Guard::Always, Carries::New(1), random);
        let carries = |random: &mut Random| match random.below(6) {
            0 => Carries::New(random.below(2)),
            1 | 2 => Carries::Known(random.below(2)),
            _ => Carries::Nothing,
        };
        let mut next = 3;
        for source in 2..nodes {
            let mut target = |random: &mut Random| {
                let fresh = next < nodes;
                next += usize::from(fresh);
                if fresh {
                    next - 1
                } else {
                    random.below(nodes - 2) + 2
                }
            };
            match random.below(4) {
                0 if source > 2 => {}
                1 => {
                    let what = carries(random);
                    let target = target(random);
                    add(source, target, Guard::Always, what, random);
                }
                _ => {
                    let guards = match random.below(3) {
                        0 => [Guard::Always, Guard::Always],
                        1 => {
                            let variable = random.below(2);
                            [Guard::Is(variable, true), Guard::Is(variable, false)]
                        }
                        _ => [Guard::Equal(true), Guard::Equal(false)],
                    };
                    for guard in guards {
                        let what = carries(random);
                        let target = target(random);
                        add(source, target, guard, what, random);
                    }
                }
            }
        }
        Protocol { nodes, steps }
    }

    fn message(step: &Step, operation: String, fields: Vec<Field>, terms: &mut Terms) -> Event {
        let role =
            |index: usize, terms: &mut Terms| Role(terms.names.intern(["a", "b", "c"][index]));
        Event::Message(Message {
            operation: Operation(terms.names.intern(&operation)),
            from: role(step.from, terms),
            to: role(step.to, terms),
            direction: Direction::Interaction,
            fault: None,
            fields,
        })
    }

    fn ends(&self, node: usize) -> bool {
        self.steps.iter().all(|step| step.source != node)
    }

    fn symbolic(&self, terms: &mut Terms) -> Stg {
        let variables: Vec<Var> = ["x", "y"]
            .iter()
            .map(|name| {
                let name = terms.names.intern(name);
                terms.variable(name, Sort::BOOL)
            })
            .collect();
        let mut builder = StgBuilder::new("symbolic", Ending::Explicit);
        for node in 0..self.nodes {
            let id = builder.node(node.to_string());
            if self.ends(node) {
                builder.terminate(terms, id, Term::TRUE, None);
            }
        }
        for step in &self.steps {
            let (x, y) = (terms.var(variables[0]), terms.var(variables[1]));
            let guard = match step.guard {
                Guard::Always => Term::TRUE,
                Guard::Is(variable, wanted) => {
                    let it = [x, y][variable];
                    if wanted { it } else { terms.not(it) }
                }
                Guard::Equal(true) => terms.equal(x, y),
                Guard::Equal(false) => terms.not_equal(x, y),
            };
            let value = match step.carries {
                Carries::Nothing => None,
                Carries::New(variable) => Some(FieldValue::Bind(variables[variable])),
                Carries::Known(variable) => Some(FieldValue::Free([x, y][variable])),
            };
            let fields = value.map(|value| Field { label: None, value });
            let operation = format!("m{}", step.operation);
            let event = Self::message(step, operation, fields.into_iter().collect(), terms);
            builder.edge(
                terms,
                Edge {
                    source: NodeId(step.source as u32),
                    target: NodeId(step.target as u32),
                    guard,
                    event,
                    updates: Vec::new(),
                    origin: None,
                },
            );
        }
        builder.finish_as_built(NodeId(0))
    }

    fn expanded(&self, terms: &mut Terms) -> Stg {
        type State = (usize, [bool; 2]);
        let mut builder = StgBuilder::new("expanded", Ending::Explicit);
        let mut ids: BTreeMap<State, NodeId> = BTreeMap::new();
        let mut states: Vec<State> = Vec::new();
        let mut node = |state: State, states: &mut Vec<State>, builder: &mut StgBuilder| {
            *ids.entry(state).or_insert_with(|| {
                states.push(state);
                builder.node(format!("{state:?}"))
            })
        };
        node((0, [false; 2]), &mut states, &mut builder);
        let mut next = 0;
        while next < states.len() {
            let (source, (at, values)) = (NodeId(next as u32), states[next]);
            next += 1;
            if self.ends(at) {
                builder.terminate(terms, source, Term::TRUE, None);
            }
            for step in self.steps.iter().filter(|step| step.source == at) {
                let possible = match step.guard {
                    Guard::Always => true,
                    Guard::Is(variable, wanted) => values[variable] == wanted,
                    Guard::Equal(wanted) => (values[0] == values[1]) == wanted,
                };
                if !possible {
                    continue;
                }
                let carried: Vec<Option<bool>> = match step.carries {
                    Carries::Nothing => vec![None],
                    Carries::New(_) => vec![Some(false), Some(true)],
                    Carries::Known(variable) => vec![Some(values[variable])],
                };
                for value in carried {
                    let mut after = values;
                    if let (Carries::New(variable), Some(value)) = (step.carries, value) {
                        after[variable] = value;
                    }
                    let target = node((step.target, after), &mut states, &mut builder);
                    let operation = match value {
                        Some(value) => format!("m{}_{value}", step.operation),
                        None => format!("m{}", step.operation),
                    };
                    let event = Self::message(step, operation, Vec::new(), terms);
                    builder.edge(
                        terms,
                        Edge {
                            source,
                            target,
                            guard: Term::TRUE,
                            event,
                            updates: Vec::new(),
                            origin: None,
                        },
                    );
                }
            }
        }
        builder.finish_as_built(NodeId(0))
    }
}

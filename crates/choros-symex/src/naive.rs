//! The naive twin: runs with concrete values from small domains, enumerated one after the other.
//!
//! It shares nothing with the tree but the graph: no symbols, no solver, no simplification.
//! A path of edges can be taken if some choice of values takes it; with domains that are large enough for the guards
//! of a graph, these are the paths of its tree.

use std::collections::BTreeSet;

use choros_data::{Assignment, Term, Terms, Value, Var};
use choros_model::stg::FieldValue;

use crate::graph::{EdgeLabel, Graph, StateId};

/// All paths of edges that some run takes, up to a depth, as positions of edges.
///
/// `domain` gives the values that a variable may have at the start or be bound to.
pub fn paths(
    graph: &Graph,
    depth: u32,
    silent: u32,
    domain: &dyn Fn(Var) -> Vec<Value>,
    terms: &Terms,
) -> BTreeSet<Vec<usize>> {
    let mut found = BTreeSet::new();
    for values in assignments(&graph.variables, domain) {
        let mut stack = vec![Run {
            state: graph.initial,
            values,
            path: Vec::new(),
            depth: 0,
            silent: 0,
        }];
        while let Some(run) = stack.pop() {
            found.insert(run.path.clone());
            for (index, edge) in graph.outgoing(run.state) {
                let counts = edge.label.counts();
                let beyond = if counts {
                    run.depth >= depth
                } else {
                    run.silent >= silent
                };
                if beyond || !holds(edge.guard, &run.values, terms) {
                    continue;
                }
                let bound: Vec<Var> = match &edge.label {
                    EdgeLabel::Message(message) => message
                        .fields
                        .iter()
                        .filter_map(|field| match field.value {
                            FieldValue::Bind(variable) => Some(variable),
                            FieldValue::Free(_) => None,
                        })
                        .collect(),
                    _ => Vec::new(),
                };
                for brought in assignments(&bound, domain) {
                    let mut values = run.values.clone();
                    values.extend(brought);
                    if !holds(edge.accepts, &values, terms) {
                        continue;
                    }
                    let mut defined = true;
                    for update in &edge.updates {
                        match terms.evaluate(update.value, &values) {
                            Ok(value) => {
                                values.insert(update.variable, value);
                            }
                            Err(_) => defined = false,
                        }
                    }
                    if defined {
                        let mut path = run.path.clone();
                        path.push(index);
                        stack.push(Run {
                            state: edge.target,
                            values,
                            path,
                            depth: run.depth + u32::from(counts),
                            silent: if counts { 0 } else { run.silent + 1 },
                        });
                    }
                }
            }
        }
    }
    found
}

struct Run {
    state: StateId,
    values: Assignment,
    path: Vec<usize>,
    depth: u32,
    silent: u32,
}

fn holds(condition: Term, values: &Assignment, terms: &Terms) -> bool {
    terms.evaluate_guard(condition, values) == Ok(true)
}

/// Every way to give these variables values.
fn assignments(variables: &[Var], domain: &dyn Fn(Var) -> Vec<Value>) -> Vec<Assignment> {
    let mut all = vec![Assignment::default()];
    for &variable in variables {
        let choices = domain(variable);
        all = all
            .iter()
            .flat_map(|before| {
                choices.iter().map(|value| {
                    let mut after = before.clone();
                    after.insert(variable, value.clone());
                    after
                })
            })
            .collect();
    }
    all
}

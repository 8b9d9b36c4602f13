//! Fixing a parameter: the variable starts with a known value.
//!
//! A parameter may be bound or assigned again later, so its value must not simply be substituted everywhere.
//! A node is *fresh* when no path from the initial node to it writes the variable: there the variable still has its
//! first value, which is substituted.
//! An edge from a fresh node to one that is not, if it does not write the variable itself, assigns the value on the
//! way.
//! Should the initial node itself be entered again after a write, runs start in a copy of it.

use choros_data::{Term, Terms, Var};
use rustc_hash::FxHashMap;

use super::{Edge, Event, Field, FieldValue, Message, NodeId, Stg, StgBuilder, Update};

/// The graph in which `parameter` starts as `value`, a constant of its sort.
///
/// The result has the same nodes and edges, and a copy of the initial node with its edges where that is needed.
pub fn fix_parameter(stg: &Stg, parameter: Var, value: Term, terms: &mut Terms) -> Stg {
    let written = written_before(stg, parameter);
    let fix = Fix {
        parameter,
        value,
        replacement: FxHashMap::from_iter([(parameter, value)]),
    };
    let mut builder = StgBuilder::new(stg.name(), stg.ending());
    for node in stg.node_ids() {
        let new = builder.node(stg.node(node).label.clone());
        fix.terminations(stg, node, new, !written[node.index()], &mut builder, terms);
    }
    for edge in stg.edges() {
        if written[edge.source.index()] {
            builder.edge(terms, edge.clone());
        } else {
            let edge = fix.edge(edge, written[edge.target.index()], terms);
            builder.edge(terms, edge);
        }
    }
    if !written[stg.initial().index()] {
        return builder.finish_as_built(stg.initial());
    }
    let start = builder.node(stg.node(stg.initial()).label.clone());
    fix.terminations(stg, stg.initial(), start, true, &mut builder, terms);
    for (_, edge) in stg.outgoing(stg.initial()) {
        // Every node after a written one is written too.
        let mut edge = fix.edge(edge, true, terms);
        edge.source = start;
        builder.edge(terms, edge);
    }
    builder.finish_as_built(start)
}

struct Fix {
    parameter: Var,
    value: Term,
    replacement: FxHashMap<Var, Term>,
}

impl Fix {
    fn terminations(
        &self,
        stg: &Stg,
        old: NodeId,
        new: NodeId,
        fresh: bool,
        builder: &mut StgBuilder,
        terms: &mut Terms,
    ) {
        for termination in &stg.node(old).terminations {
            let mut guard = termination.guard;
            if fresh {
                guard = terms.substitute(guard, &self.replacement);
            }
            builder.terminate(terms, new, guard, termination.origin);
        }
    }

    /// An edge out of a fresh node.
    fn edge(&self, edge: &Edge, into_written: bool, terms: &mut Terms) -> Edge {
        let mut still_first = !edge
            .event
            .bound_variables()
            .any(|variable| variable == self.parameter);
        let mut updates: Vec<Update> = Vec::with_capacity(edge.updates.len() + 1);
        for &update in &edge.updates {
            let value = if still_first {
                terms.substitute(update.value, &self.replacement)
            } else {
                update.value
            };
            updates.push(Update { value, ..update });
            still_first &= update.variable != self.parameter;
        }
        if still_first && into_written {
            updates.push(Update {
                variable: self.parameter,
                value: self.value,
            });
        }
        Edge {
            guard: terms.substitute(edge.guard, &self.replacement),
            event: match &edge.event {
                Event::Message(message) => Event::Message(self.message(message, terms)),
                other => other.clone(),
            },
            updates,
            ..*edge
        }
    }

    fn message(&self, message: &Message, terms: &mut Terms) -> Message {
        Message {
            fields: message
                .fields
                .iter()
                .map(|field| Field {
                    label: field.label,
                    value: match field.value {
                        FieldValue::Free(term) => {
                            FieldValue::Free(terms.substitute(term, &self.replacement))
                        }
                        bound => bound,
                    },
                })
                .collect(),
            ..message.clone()
        }
    }
}

/// Whether some path from the initial node writes the variable before it arrives at a node.
fn written_before(stg: &Stg, variable: Var) -> Vec<bool> {
    let writes = |edge: &Edge| {
        edge.event.bound_variables().any(|bound| bound == variable)
            || edge
                .updates
                .iter()
                .any(|update| update.variable == variable)
    };
    let mut reached = vec![false; stg.nodes().len()];
    let mut written = vec![false; stg.nodes().len()];
    let mut work = vec![stg.initial()];
    reached[stg.initial().index()] = true;
    while let Some(node) = work.pop() {
        for (_, edge) in stg.outgoing(node) {
            let target = edge.target.index();
            let now_written = written[node.index()] || writes(edge);
            if !reached[target] || (now_written && !written[target]) {
                reached[target] = true;
                written[target] |= now_written;
                work.push(edge.target);
            }
        }
    }
    written
}

//! What becomes of the data of a message that is hidden.
//!
//! A variable that hidden messages bind *at most once in every run*, and that has no value before, is bound no longer:
//! it is free, that is a parameter, wherever it is read (Definition 2 of Nguyen's thesis).
//! *For which values of the unseen data* is just the question that conformance answers.
//! Where a run may bind the variable again, by going round a loop or by another message, hidden or not, or where it had
//! a value before, one parameter cannot stand for both values.
//! There the silent step chooses: each time it happens, the variable gets any value of its sort ([`Event::Choose`]).
//!
//! *May* is judged by the edges alone, whatever their guards.
//! A value that nothing reads is not chosen.
//!
//! Whether a variable is bound again depends on how its other uses are called.
//! Who asks about all values in any case, as compositions over queues do, lets every silent step choose: then names
//! cannot matter ([`Unseen::Chosen`]).

use choros_data::{Terms, Var};
use rustc_hash::FxHashSet;

use super::{Edge, Event, FreeVariables, NodeId, Stg};

/// What stands for the values of hidden messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unseen {
    /// A parameter where one value is enough, otherwise a choice at each step.
    ParameterOrChosen,
    /// A choice at each step.
    Chosen,
}

/// The graph in which the edges of a kind are silent.
pub(super) fn silence(
    stg: &Stg,
    hidden: &dyn Fn(&Edge) -> bool,
    unseen: Unseen,
    terms: &mut Terms,
) -> Stg {
    let mut bound: Vec<Var> = Vec::new();
    for edge in stg.edges().iter().filter(|edge| hidden(edge)) {
        for variable in edge.event.bound_variables() {
            if !bound.contains(&variable) {
                bound.push(variable);
            }
        }
    }
    let free = (!bound.is_empty()).then(|| FreeVariables::of(stg, terms));
    let chosen: FxHashSet<Var> = bound
        .into_iter()
        .filter(|&variable| {
            let known_before = free
                .as_ref()
                .is_some_and(|free| free.contains(stg.initial(), variable));
            unseen == Unseen::Chosen || known_before || may_recur(stg, variable, hidden)
        })
        .collect();
    stg.map(
        terms,
        |terms, edge| {
            if !hidden(edge) {
                return edge.clone();
            }
            let mut bound: Vec<Var> = edge.event.bound_variables().collect();
            bound.retain(|&variable| {
                chosen.contains(&variable)
                    && free
                        .as_ref()
                        .is_some_and(|free| is_read(edge, variable, free, terms))
            });
            Edge {
                event: Event::silent(bound),
                ..edge.clone()
            }
        },
        |_, guard| guard,
    )
}

/// Whether a run may bind a variable at a hidden edge although the same run wrote it before, or binds it later.
fn may_recur(stg: &Stg, variable: Var, hidden: &dyn Fn(&Edge) -> bool) -> bool {
    let binds = |edge: &Edge| edge.event.bound_variables().any(|it| it == variable);
    let writes = |edge: &Edge| {
        binds(edge)
            || edge
                .updates
                .iter()
                .any(|update| update.variable == variable)
    };
    let reachable = reached(stg, vec![stg.initial()]);
    let after = |kind: &dyn Fn(&Edge) -> bool| {
        let edges = stg.edges().iter();
        let targets = edges
            .filter(|edge| reachable[edge.source.index()] && kind(edge))
            .map(|edge| edge.target);
        reached(stg, targets.collect())
    };
    let after_write = after(&writes);
    let after_hidden = after(&|edge| hidden(edge) && binds(edge));
    stg.edges().iter().any(|edge| {
        let source = edge.source.index();
        binds(edge) && (after_hidden[source] || (hidden(edge) && after_write[source]))
    })
}

/// Whether a value that the event of an edge brings is read by the edge's updates, or later before it is overwritten.
fn is_read(edge: &Edge, variable: Var, free: &FreeVariables, terms: &Terms) -> bool {
    for update in &edge.updates {
        if terms.free_variables(update.value).contains(&variable) {
            return true;
        }
        if update.variable == variable {
            return false;
        }
    }
    free.contains(edge.target, variable)
}

/// The nodes that can be reached from some.
fn reached(stg: &Stg, from: Vec<NodeId>) -> Vec<bool> {
    let mut reached = vec![false; stg.nodes().len()];
    let mut work = from;
    while let Some(node) = work.pop() {
        if !std::mem::replace(&mut reached[node.index()], true) {
            work.extend(stg.outgoing(node).map(|(_, edge)| edge.target));
        }
    }
    reached
}

//! Cycles of the implementation that the user should know of.

use choros_data::{Terms, Var};
use choros_model::stg::{Alphabet, Edge, EdgeId, Event, NodeId, Stg};
use rustc_hash::FxHashSet;

/// The nodes on cycles of silent edges, whatever their guards.
pub(crate) fn silent_cycles(stg: &Stg) -> Vec<NodeId> {
    let silent = |edge: &Edge| edge.event == Event::Silent;
    let component = components(stg, &silent);
    let mut on_cycle = vec![false; stg.nodes().len()];
    for edge in stg.edges().iter().filter(|edge| silent(edge)) {
        let (source, target) = (edge.source.0 as usize, edge.target.0 as usize);
        if component[source] == component[target] {
            on_cycle[source] = true;
        }
    }
    stg.node_ids()
        .filter(|node| on_cycle[node.0 as usize])
        .collect()
}

/// Edges of an implementation whose message the specification does not speak of, and that bind a variable which the
/// same run may write before or after them.
///
/// Hiding them makes their variable a parameter, which has one value for the whole run.
pub(crate) fn recurring_bindings(
    implementation: &Stg,
    specification: &Stg,
    terms: &Terms,
) -> Vec<EdgeId> {
    let alphabet: Alphabet = specification.alphabet().into_iter().collect();
    let hidden = |edge: &Edge| {
        edge.event
            .message()
            .is_some_and(|it| !alphabet.contains(&(it.operation, it.from, it.to)))
    };
    let mut bound: Vec<Var> = implementation
        .edges()
        .iter()
        .filter(|edge| hidden(edge))
        .flat_map(|edge| edge.event.bound_variables().collect::<Vec<Var>>())
        .collect();
    bound.sort_unstable_by_key(|variable| variable.index());
    bound.dedup();
    if bound.is_empty() {
        return Vec::new();
    }
    let read: FxHashSet<Var> = implementation
        .edges()
        .iter()
        .flat_map(|edge| {
            let updates = edge.updates.iter().map(|update| update.value);
            let all = std::iter::once(edge.guard).chain(edge.event.free_terms());
            all.chain(updates)
                .flat_map(|term| terms.free_variables(term))
                .collect::<Vec<Var>>()
        })
        .collect();
    let mut found: FxHashSet<u32> = FxHashSet::default();
    for variable in bound.into_iter().filter(|variable| read.contains(variable)) {
        let binds = |edge: &Edge| edge.event.bound_variables().any(|it| it == variable);
        let writes = |edge: &Edge| {
            binds(edge)
                || edge
                    .updates
                    .iter()
                    .any(|update| update.variable == variable)
        };
        let behind_any = behind(implementation, &writes);
        let behind_hidden = behind(implementation, &|edge| hidden(edge) && binds(edge));
        let late = implementation
            .edges()
            .iter()
            .any(|edge| writes(edge) && behind_hidden[edge.source.0 as usize]);
        for (index, edge) in implementation.edges().iter().enumerate() {
            if hidden(edge) && binds(edge) && (late || behind_any[edge.source.0 as usize]) {
                found.insert(index as u32);
            }
        }
    }
    let mut found: Vec<EdgeId> = found.into_iter().map(EdgeId).collect();
    found.sort_unstable();
    found
}

/// Which nodes can be reached after some edge of a kind.
fn behind(stg: &Stg, kind: &dyn Fn(&Edge) -> bool) -> Vec<bool> {
    let mut reached = vec![false; stg.nodes().len()];
    let mut work: Vec<NodeId> = Vec::new();
    for edge in stg.edges().iter().filter(|edge| kind(edge)) {
        if !std::mem::replace(&mut reached[edge.target.0 as usize], true) {
            work.push(edge.target);
        }
    }
    while let Some(node) = work.pop() {
        for (_, edge) in stg.outgoing(node) {
            if !std::mem::replace(&mut reached[edge.target.0 as usize], true) {
                work.push(edge.target);
            }
        }
    }
    reached
}

/// The strongly connected component of each node, along some edges: Kosaraju's two passes.
fn components(stg: &Stg, along: &dyn Fn(&Edge) -> bool) -> Vec<u32> {
    let count = stg.nodes().len();
    let successors = |node: NodeId| -> Vec<NodeId> {
        stg.outgoing(node)
            .filter(|(_, edge)| along(edge))
            .map(|(_, edge)| edge.target)
            .collect()
    };
    let mut order: Vec<NodeId> = Vec::with_capacity(count);
    let mut seen = vec![false; count];
    for root in stg.node_ids() {
        if std::mem::replace(&mut seen[root.0 as usize], true) {
            continue;
        }
        let mut stack = vec![(root, successors(root))];
        while let Some((node, rest)) = stack.last_mut() {
            match rest.pop() {
                Some(next) => {
                    if !std::mem::replace(&mut seen[next.0 as usize], true) {
                        stack.push((next, successors(next)));
                    }
                }
                None => {
                    order.push(*node);
                    stack.pop();
                }
            }
        }
    }
    let mut incoming: Vec<Vec<NodeId>> = vec![Vec::new(); count];
    for edge in stg.edges().iter().filter(|edge| along(edge)) {
        incoming[edge.target.0 as usize].push(edge.source);
    }
    let mut component = vec![u32::MAX; count];
    let mut number = 0;
    for &root in order.iter().rev() {
        if component[root.0 as usize] != u32::MAX {
            continue;
        }
        component[root.0 as usize] = number;
        let mut stack = vec![root];
        while let Some(node) = stack.pop() {
            for &before in &incoming[node.0 as usize] {
                if component[before.0 as usize] == u32::MAX {
                    component[before.0 as usize] = number;
                    stack.push(before);
                }
            }
        }
        number += 1;
    }
    component
}

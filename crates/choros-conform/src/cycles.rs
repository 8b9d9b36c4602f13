//! Cycles of silent steps in the implementation, of which the user should know.

use choros_model::stg::{Edge, NodeId, Stg};

/// The nodes on cycles of silent edges, whatever their guards.
pub fn silent_cycles(stg: &Stg) -> Vec<NodeId> {
    let silent = |edge: &Edge| edge.event.is_silent();
    let component = components(stg, &silent);
    let mut on_cycle = vec![false; stg.nodes().len()];
    for edge in stg.edges().iter().filter(|edge| silent(edge)) {
        let (source, target) = (edge.source.index(), edge.target.index());
        if component[source] == component[target] {
            on_cycle[source] = true;
        }
    }
    stg.node_ids()
        .filter(|node| on_cycle[node.index()])
        .collect()
}

/// The strongly connected component of each node, along some edges: Kosaraju's two passes.
///
/// Numbers ascend along edges between components.
pub fn components(stg: &Stg, along: &dyn Fn(&Edge) -> bool) -> Vec<u32> {
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
        if std::mem::replace(&mut seen[root.index()], true) {
            continue;
        }
        let mut stack = vec![(root, successors(root))];
        while let Some((node, rest)) = stack.last_mut() {
            match rest.pop() {
                Some(next) => {
                    if !std::mem::replace(&mut seen[next.index()], true) {
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
        incoming[edge.target.index()].push(edge.source);
    }
    let mut component = vec![u32::MAX; count];
    let mut number = 0;
    for &root in order.iter().rev() {
        if component[root.index()] != u32::MAX {
            continue;
        }
        component[root.index()] = number;
        let mut stack = vec![root];
        while let Some(node) = stack.pop() {
            for &before in &incoming[node.index()] {
                if component[before.index()] == u32::MAX {
                    component[before.index()] = number;
                    stack.push(before);
                }
            }
        }
        number += 1;
    }
    component
}

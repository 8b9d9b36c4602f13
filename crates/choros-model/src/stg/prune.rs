//! Cutting edges and terminations away.

use choros_data::Terms;

use super::{EdgeId, NodeId, Stg, StgBuilder};

/// The graph with only the edges and terminations that are kept, and only the nodes still reachable over them.
///
/// A termination is given by its node and its position there.
/// Nodes and edges keep their relative order, and nodes their labels; a node that loses all its edges does not
/// thereby terminate.
pub fn prune(
    stg: &Stg,
    terms: &mut Terms,
    mut keep_edge: impl FnMut(EdgeId) -> bool,
    mut keep_termination: impl FnMut(NodeId, usize) -> bool,
) -> Stg {
    let kept: Vec<bool> = (0..stg.edges().len() as u32)
        .map(|index| keep_edge(EdgeId(index)))
        .collect();
    let mut reached = vec![false; stg.nodes().len()];
    let mut work = vec![stg.initial()];
    reached[stg.initial().index()] = true;
    while let Some(node) = work.pop() {
        for (id, edge) in stg.outgoing(node) {
            if kept[id.index()] && !reached[edge.target.index()] {
                reached[edge.target.index()] = true;
                work.push(edge.target);
            }
        }
    }
    let mut builder = StgBuilder::new(stg.name(), stg.ending());
    let mut new_ids: Vec<Option<NodeId>> = vec![None; stg.nodes().len()];
    for node in stg.node_ids().filter(|node| reached[node.index()]) {
        let new = builder.node(stg.node(node).label.clone());
        new_ids[node.index()] = Some(new);
        for (position, termination) in stg.node(node).terminations.iter().enumerate() {
            if keep_termination(node, position) {
                builder.terminate(terms, new, termination.guard, termination.origin);
            }
        }
    }
    for (index, edge) in stg.edges().iter().enumerate() {
        let ends = (new_ids[edge.source.index()], new_ids[edge.target.index()]);
        if let (true, (Some(source), Some(target))) = (kept[index], ends) {
            let mut edge = edge.clone();
            (edge.source, edge.target) = (source, target);
            builder.edge(terms, edge);
        }
    }
    let initial = new_ids[stg.initial().index()].unwrap_or(NodeId(0));
    builder.finish_as_built(initial)
}

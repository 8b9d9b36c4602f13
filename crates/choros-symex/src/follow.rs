//! Paths that are known already, without a search: the part of the tree that leads along them.

use choros_data::Terms;

use crate::{ExecutionRules, Graph, Tree, TreeBuilder, TreeNodeId};

/// The tree that consists of these paths, given by their edges, and where each ends.
///
/// No one asks whether they can be taken: someone has, when they were chosen.
/// The error is the number of the first path that the graph does not have.
pub fn follow(
    graph: &Graph,
    rules: ExecutionRules<'_>,
    paths: &[Vec<usize>],
    terms: &mut Terms,
) -> Result<(Tree, Vec<TreeNodeId>), usize> {
    let mut unfolding = TreeBuilder::new(graph, rules, terms);
    let mut ends = Vec::with_capacity(paths.len());
    for (number, path) in paths.iter().enumerate() {
        let mut at = TreeNodeId::ROOT;
        for &edge in path {
            let leaves = |edge: usize| {
                let taken = graph.edges().get(edge)?;
                (taken.source == unfolding.tree.node(at).state).then_some(edge)
            };
            let edge = leaves(edge).ok_or(number)?;
            let next = unfolding.successor(at, edge, terms);
            at = unfolding.add(next);
        }
        ends.push(at);
    }
    Ok((unfolding.tree, ends))
}

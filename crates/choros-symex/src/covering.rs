//! Which of the paths that may be tests cover everything that some of them covers.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use choros_model::stg::NodeId;
use rustc_hash::FxHashSet;

use crate::graph::{EdgeLabel, EdgeOrigin, Graph, StateId};
use crate::tree::{Tree, TreeNodeId};

/// Something that is covered or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CoverageItem {
    /// A node of the model.
    State(NodeId),
    /// An edge or termination of the model.
    Transition(EdgeOrigin),
    /// A transition `#` of the purpose, a position among its transitions.
    Acceptance(usize),
    Path(TreeNodeId),
}

/// More items than this, over all paths, are not kept at the same time.
const KEPT: usize = 4_000_000;

/// A tree with the ways that lead to each node.
pub(crate) struct Ways<'t> {
    graph: &'t Graph,
    tree: &'t Tree,
    joined: Vec<Vec<(TreeNodeId, usize)>>,
}

/// What a step covers: its edge, and the state that it leads to.
pub(crate) fn add_items(
    graph: &Graph,
    state: StateId,
    edge: Option<usize>,
    found: &mut Vec<CoverageItem>,
) {
    found.extend(graph.state(state).node.map(CoverageItem::State));
    if let Some(edge) = edge {
        let edge = graph.edge(edge);
        found.push(CoverageItem::Transition(edge.of));
        if edge.label == EdgeLabel::Accept {
            found.extend(edge.purpose.map(CoverageItem::Acceptance));
        }
    }
}

impl<'t> Ways<'t> {
    pub(crate) fn new(graph: &'t Graph, tree: &'t Tree) -> Ways<'t> {
        Ways {
            graph,
            tree,
            joined: tree.joined(),
        }
    }

    /// What paths that look alike cover: no tester can say which of them a service took.
    fn covered(
        &self,
        leaves: &[TreeNodeId],
        wanted: &FxHashSet<CoverageItem>,
    ) -> FxHashSet<CoverageItem> {
        let mut found = FxHashSet::default();
        let mut seen: FxHashSet<TreeNodeId> = leaves.iter().copied().collect();
        let mut work = leaves.to_vec();
        let mut items = Vec::new();
        while let Some(id) = work.pop() {
            let node = self.tree.node(id);
            add_items(self.graph, node.state, node.edge, &mut items);
            let others = self.joined[id.index()].iter();
            for &(_, edge) in others.clone() {
                add_items(self.graph, node.state, Some(edge), &mut items);
            }
            let before = node.parent.into_iter().chain(others.map(|it| it.0));
            work.extend(before.filter(|&it| seen.insert(it)));
            found.extend(items.drain(..).filter(|it| wanted.contains(it)));
        }
        found
    }
}

/// Groups of leaves that cover together what all of them cover, each with what it covers; none can be left out.
pub(crate) fn covering(
    ways: &Ways<'_>,
    groups: &[Vec<TreeNodeId>],
    wanted: &FxHashSet<CoverageItem>,
) -> BTreeMap<usize, FxHashSet<CoverageItem>> {
    let mut covered = Vec::with_capacity(groups.len());
    let mut kept = 0;
    for leaves in groups {
        let items = ways.covered(leaves, wanted);
        kept += items.len();
        if kept > KEPT {
            return irredundant(first_fit(ways, groups, wanted));
        }
        covered.push(items);
    }
    irredundant(greedy(ways.tree, groups, covered))
}

/// Each covers something that those before it do not: the most, and of several, the one that terminates, the shorter,
/// the earlier.
fn greedy(
    tree: &Tree,
    groups: &[Vec<TreeNodeId>],
    mut covered: Vec<FxHashSet<CoverageItem>>,
) -> Vec<(usize, FxHashSet<CoverageItem>)> {
    let preferred: Vec<_> = groups.iter().map(|it| preference(tree, it)).collect();
    let mut left: FxHashSet<CoverageItem> = covered.iter().flatten().copied().collect();
    let mut chosen = Vec::new();
    while !left.is_empty() {
        let gain = |index: &usize| {
            covered[*index]
                .iter()
                .filter(|it| left.contains(it))
                .count()
        };
        let best = (0..groups.len()).max_by_key(|index| (gain(index), Reverse(preferred[*index])));
        let Some(best) = best.filter(|index| gain(index) > 0) else {
            break;
        };
        let items = std::mem::take(&mut covered[best]);
        left.retain(|it| !items.contains(it));
        chosen.push((best, items));
    }
    chosen
}

/// Each covers something that those before it do not; nothing is kept of others.
fn first_fit(
    ways: &Ways<'_>,
    groups: &[Vec<TreeNodeId>],
    wanted: &FxHashSet<CoverageItem>,
) -> Vec<(usize, FxHashSet<CoverageItem>)> {
    let all: Vec<TreeNodeId> = groups.iter().flatten().copied().collect();
    let mut left = ways.covered(&all, wanted);
    let mut order: Vec<usize> = (0..groups.len()).collect();
    order.sort_by_key(|&index| preference(ways.tree, &groups[index]));
    let mut chosen = Vec::new();
    for index in order {
        if left.is_empty() {
            break;
        }
        let items = ways.covered(&groups[index], wanted);
        let before = left.len();
        left.retain(|it| !items.contains(it));
        if left.len() < before {
            chosen.push((index, items));
        }
    }
    chosen
}

/// Smaller is better: paths that do not terminate come last, then long ones, then late ones.
fn preference(tree: &Tree, leaves: &[TreeNodeId]) -> (bool, usize, Option<TreeNodeId>) {
    let leaf = leaves.first().copied();
    let ends = leaf.is_some_and(|it| tree.is_terminating(it));
    (!ends, leaf.map_or(0, |it| tree.path(it).len()), leaf)
}

/// The same without those that the others make superfluous.
fn irredundant(
    chosen: Vec<(usize, FxHashSet<CoverageItem>)>,
) -> BTreeMap<usize, FxHashSet<CoverageItem>> {
    let order: Vec<usize> = chosen.iter().rev().map(|it| it.0).collect();
    let mut kept: BTreeMap<usize, FxHashSet<CoverageItem>> = chosen.into_iter().collect();
    for candidate in order {
        let is_needed = |item: &CoverageItem| {
            let mut others = kept.iter().filter(|&(&index, _)| index != candidate);
            !others.any(|(_, items)| items.contains(item))
        };
        let is_superfluous = kept
            .get(&candidate)
            .is_some_and(|items| !items.iter().any(is_needed));
        if is_superfluous {
            kept.remove(&candidate);
        }
    }
    kept
}

//! Where the ways from a branching meet again.

use std::collections::BTreeSet;

use choros_model::stg::{NodeId, Stg};

/// States to which a path returns, and states where branchings meet.
pub(super) struct Joins<'a> {
    stg: &'a Stg,
    /// Sources of edges into each node.
    before: Vec<Vec<usize>>,
    /// The immediate post-dominator of each node, where it is a node.
    behind: Vec<Option<usize>>,
    /// The targets of edges that lead back in a depth-first walk.
    heads: Vec<bool>,
}

impl<'a> Joins<'a> {
    pub(super) fn of(stg: &'a Stg) -> Self {
        let mut before = vec![Vec::new(); stg.nodes().len()];
        for edge in stg.edges() {
            before[edge.target.index()].push(edge.source.index());
        }
        Joins {
            stg,
            behind: post_dominators(stg, &before),
            before,
            heads: heads(stg),
        }
    }

    /// Whether a path returns to a node.
    pub(super) fn is_head(&self, node: NodeId) -> bool {
        self.heads[node.index()]
    }

    /// The node where all ways from a branching meet, if nothing comes in between from elsewhere.
    ///
    /// No way to it may go through a loop that is `open`: after an `again` nothing can be written.
    pub(super) fn meeting(&self, branching: NodeId, open: &[NodeId]) -> Option<NodeId> {
        let start = branching.index();
        let meeting = self.behind[start]?;
        let mut region: BTreeSet<usize> = BTreeSet::new();
        let mut pending = vec![start];
        while let Some(node) = pending.pop() {
            for (_, edge) in self.stg.outgoing(NodeId(node as u32)) {
                let target = edge.target.index();
                if target == start || (target != meeting && open.contains(&edge.target)) {
                    return None;
                }
                if target != meeting && region.insert(target) {
                    pending.push(target);
                }
            }
        }
        let closed = region.iter().all(|&node| {
            let mut sources = self.before[node].iter();
            sources.all(|source| *source == start || region.contains(source))
        });
        closed.then_some(NodeId(meeting as u32))
    }
}

/// The targets of edges that lead back; every cycle has one.
fn heads(stg: &Stg) -> Vec<bool> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut heads = vec![false; stg.nodes().len()];
    let mut marks = vec![Mark::New; stg.nodes().len()];
    let targets = |node: usize| -> Vec<usize> {
        let edges = stg.outgoing(NodeId(node as u32));
        edges.map(|(_, edge)| edge.target.index()).collect()
    };
    let start = stg.initial().index();
    marks[start] = Mark::Open;
    let mut path = vec![(start, targets(start), 0)];
    while let Some((node, next, position)) = path.last_mut() {
        let Some(&target) = next.get(*position) else {
            marks[*node] = Mark::Done;
            path.pop();
            continue;
        };
        *position += 1;
        match marks[target] {
            Mark::Open => heads[target] = true,
            Mark::New => {
                marks[target] = Mark::Open;
                path.push((target, targets(target), 0));
            }
            Mark::Done => {}
        }
    }
    heads
}

/// Immediate dominators of the reversed graph, with one exit for all ends (Cooper, Harvey and Kennedy, "A Simple, Fast
/// Dominance Algorithm").
fn post_dominators(stg: &Stg, before: &[Vec<usize>]) -> Vec<Option<usize>> {
    let count = stg.nodes().len();
    let exit = count;
    let after = |node: usize| -> Vec<usize> {
        let id = NodeId(node as u32);
        let mut targets: Vec<usize> = stg
            .outgoing(id)
            .map(|(_, edge)| edge.target.index())
            .collect();
        if targets.is_empty() || !stg.node(id).terminations.is_empty() {
            targets.push(exit);
        }
        targets
    };
    // Reverse postorder from the exit, against the edges.
    let ends: Vec<usize> = (0..count)
        .filter(|&node| after(node).contains(&exit))
        .collect();
    let mut seen = vec![false; count + 1];
    let mut order = Vec::new();
    let mut path = vec![(exit, 0)];
    seen[exit] = true;
    while let Some((node, position)) = path.last_mut() {
        let sources = if *node == exit { &ends } else { &before[*node] };
        let Some(&source) = sources.get(*position) else {
            order.push(*node);
            path.pop();
            continue;
        };
        *position += 1;
        if !seen[source] {
            seen[source] = true;
            path.push((source, 0));
        }
    }
    order.reverse();
    let mut rank = vec![usize::MAX; count + 1];
    for (position, &node) in order.iter().enumerate() {
        rank[node] = position;
    }
    let mut dominator: Vec<Option<usize>> = vec![None; count + 1];
    dominator[exit] = Some(exit);
    let mut changed = true;
    while changed {
        changed = false;
        for &node in order.iter().skip(1) {
            let mut new: Option<usize> = None;
            for target in after(node) {
                if dominator[target].is_none() {
                    continue;
                }
                new = Some(match new {
                    None => target,
                    Some(other) => meet(other, target, &dominator, &rank),
                });
            }
            if new != dominator[node] {
                dominator[node] = new;
                changed = true;
            }
        }
    }
    // Nodes from which no end is reached have no dominator and need none.
    (0..count)
        .map(|node| dominator[node].filter(|&it| it != exit))
        .collect()
}

fn meet(a: usize, b: usize, dominator: &[Option<usize>], rank: &[usize]) -> usize {
    let (mut a, mut b) = (a, b);
    while a != b {
        let later = if rank[a] > rank[b] { &mut a } else { &mut b };
        match dominator[*later] {
            Some(up) if up != *later => *later = up,
            _ => return *later,
        }
    }
    a
}

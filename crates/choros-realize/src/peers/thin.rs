//! One order for what may happen in any.
//!
//! Where roles that have nothing to do with each other may both send next, as in a parallel, this mode does not ask
//! for an order; so it is enough to look at runs in which one of them comes first.
//! All other edges of such a state `g` can go if every run from `g` comes to an edge of that sender, and until then
//! everything else happens between other roles and commutes with it: then each run has the same words, up to the order
//! of steps of different roles, as one in which that sender comes first.

use choros_data::Terms;
use choros_model::stg::{Edge, NodeId, Role, Stg, prune};
use rustc_hash::FxHashSet;

/// The graph with as few orders as can be seen easily; `labels` says which edges carry the same message.
pub(super) fn thin(stg: &Stg, labels: &[Option<usize>], terms: &mut Terms) -> Stg {
    let mut thinner = Thinner {
        stg,
        labels,
        gone: vec![false; stg.edges().len()],
    };
    for node in stg.node_ids() {
        let mut senders: Vec<Role> = Vec::new();
        for (_, edge) in thinner.leaving(node) {
            if let Some(sender) = sender(edge).filter(|it| !senders.contains(it)) {
                senders.push(sender);
            }
        }
        if senders.len() < 2 {
            continue;
        }
        if let Some(&first) = senders.iter().find(|&&it| thinner.may_come_first(node, it)) {
            let others: Vec<usize> = thinner
                .leaving(node)
                .filter(|(_, edge)| sender(edge) != Some(first))
                .map(|(at, _)| at)
                .collect();
            for at in others {
                thinner.gone[at] = true;
            }
        }
    }
    if !thinner.gone.contains(&true) {
        return stg.clone();
    }
    let gone = thinner.gone;
    prune(stg, terms, |edge| !gone[edge.index()], |_, _| true)
}

struct Thinner<'a> {
    stg: &'a Stg,
    labels: &'a [Option<usize>],
    gone: Vec<bool>,
}

impl<'a> Thinner<'a> {
    fn leaving(&self, node: NodeId) -> impl Iterator<Item = (usize, &'a Edge)> {
        self.stg
            .outgoing(node)
            .map(|(id, edge)| (id.index(), edge))
            .filter(|(at, _)| !self.gone[*at])
    }

    fn after(&self, node: NodeId, label: usize) -> Option<NodeId> {
        self.leaving(node)
            .find(|(at, _)| self.labels[*at] == Some(label))
            .map(|(_, edge)| edge.target)
    }

    /// Whether all runs from a state are those in which this sender comes first, but for the order.
    fn may_come_first(&self, start: NodeId, first: Role) -> bool {
        let own = |node: NodeId| -> FxHashSet<usize> {
            self.leaving(node)
                .filter(|(_, edge)| sender(edge) == Some(first))
                .filter_map(|(at, _)| self.labels[at])
                .collect()
        };
        let wanted = own(start);
        let mut taking_part = FxHashSet::from_iter([first]);
        for (_, edge) in self.leaving(start) {
            if let Some(message) = edge.event.message().filter(|it| it.from == first) {
                taking_part.insert(message.to);
            }
        }
        // The states that are reached without the sender, each after all that lead to it, or there is a loop.
        let mut seen = FxHashSet::default();
        let mut open: FxHashSet<NodeId> = FxHashSet::default();
        let mut work = vec![(start, false)];
        while let Some((node, done)) = work.pop() {
            if done {
                open.remove(&node);
                continue;
            }
            if open.contains(&node) {
                return false;
            }
            if !seen.insert(node) {
                continue;
            }
            open.insert(node);
            work.push((node, true));
            if own(node) != wanted || !self.stg.node(node).terminations.is_empty() {
                return false;
            }
            for (at, edge) in self.leaving(node) {
                let (Some(message), Some(label)) = (edge.event.message(), self.labels[at]) else {
                    return false;
                };
                if message.from == first {
                    continue;
                }
                if taking_part.contains(&message.from) || taking_part.contains(&message.to) {
                    return false;
                }
                let commutes = wanted.iter().all(|&mine| {
                    let one = self.after(node, mine).and_then(|it| self.after(it, label));
                    one.is_some() && one == self.after(edge.target, mine)
                });
                if !commutes {
                    return false;
                }
                work.push((edge.target, false));
            }
        }
        true
    }
}

fn sender(edge: &Edge) -> Option<Role> {
    edge.event.message().map(|message| message.from)
}

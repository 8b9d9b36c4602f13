//! The smallest set of additions, by trying one, two, three, …

use choros_base::Budget;
use choros_data::Var;
use choros_model::stg::{NodeId, Role, Stg};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Search;
use super::draft::Draft;
use crate::{AnalysisStop, Conditions, Violation};

/// This many drafts are checked before the search gives up.
const MAX_CHECKS: u64 = 2_000;

/// No more additions than this are tried.
const MAX_ADDITIONS: usize = 10;

impl Search<'_, '_> {
    /// A draft with the fewest additions; `None` when the search gave up.
    pub(super) fn exact(&mut self, start: &Draft) -> Result<Option<Draft>, AnalysisStop> {
        let checks = Budget::steps(MAX_CHECKS);
        let (stg, _, found) = self.examine(start)?;
        for limit in needed(&stg, &found)..=MAX_ADDITIONS {
            match self.deepen(start, limit, &checks)? {
                Outcome::Found(draft) => return Ok(Some(*draft)),
                Outcome::GaveUp => return Ok(None),
                Outcome::Nothing => {}
            }
        }
        Ok(None)
    }

    /// Looks for a draft with at most so many more additions; the depth of this recursion is at most
    /// [`MAX_ADDITIONS`].
    fn deepen(
        &mut self,
        draft: &Draft,
        left: usize,
        checks: &Budget,
    ) -> Result<Outcome, AnalysisStop> {
        if checks.spend().is_err() {
            return Ok(Outcome::GaveUp);
        }
        let (stg, edges, found) = self.examine(draft)?;
        if found.violations.is_empty() {
            return Ok(Outcome::Found(Box::new(draft.clone())));
        }
        if needed(&stg, &found) > left {
            return Ok(Outcome::Nothing);
        }
        let nodes = draft.node_numbers();
        let candidates = self.candidates(draft, &stg, &edges, &nodes, &found);
        for fix in candidates {
            let mut next = draft.clone();
            next.insert(&fix, self.terms);
            match self.deepen(&next, left - 1, checks)? {
                Outcome::Nothing => {}
                settled => return Ok(settled),
            }
        }
        Ok(Outcome::Nothing)
    }
}

enum Outcome {
    Found(Box<Draft>),
    /// There is none with so few additions.
    Nothing,
    /// There were too many drafts to check.
    GaveUp,
}

/// A number of additions that no repair made of [`candidates`](super::candidates) can do without.
///
/// - A role that does not learn of a branch, or cannot compute a decision, must receive something there or further
///   down. Of such needs of one role, those below which there is no other one each need a message of their own.
/// - A role that does not know some variables must get each of them.
/// - A message stands at one place, so it fixes the order at one state only; and order is broken at states where no
///   message for the above can stand.
fn needed(stg: &Stg, found: &Conditions) -> usize {
    let mut needs: Vec<Need> = Vec::new();
    let mut data: FxHashMap<Role, FxHashSet<Var>> = FxHashMap::default();
    let mut touchable: FxHashSet<NodeId> = FxHashSet::default();
    let mut broken: FxHashSet<NodeId> = FxHashSet::default();
    for violation in &found.violations {
        match violation {
            Violation::Race { .. } => {}
            Violation::Unordered { second, .. } => {
                broken.insert(stg.edge(*second).source);
            }
            Violation::UnknownData {
                edge,
                role,
                variable,
                ..
            } => {
                data.entry(*role).or_default().insert(*variable);
                touchable.insert(stg.edge(*edge).source);
            }
            Violation::UnknownCondition { node, role, .. } => {
                // Notifications continue branches on which the role does not take part at once.
                let (mut targets, mut places) = (Vec::new(), Vec::new());
                for (_, edge) in stg.outgoing(*node) {
                    targets.push(edge.target);
                    let takes_part = edge
                        .event
                        .message()
                        .is_some_and(|message| message.from == *role || message.to == *role);
                    if !takes_part {
                        places.push(edge.target);
                    }
                }
                touchable.extend(reached_by_chain(stg, &places));
                needs.push(Need::new(*role, *node, targets));
            }
            Violation::Uninformed {
                node, branch, role, ..
            } => {
                let targets = vec![stg.edge(*branch).target];
                touchable.extend(reached_by_chain(stg, &targets));
                needs.push(Need::new(*role, *node, targets));
            }
        }
    }
    let mut own: FxHashMap<Role, usize> = FxHashMap::default();
    let mut counted: FxHashSet<(Role, NodeId, Vec<NodeId>)> = FxHashSet::default();
    for need in &needs {
        let reached = reachable(stg, &need.targets);
        touchable.insert(need.node);
        let lowest = !needs
            .iter()
            .any(|other| other.role == need.role && reached[other.node.index()]);
        if lowest && counted.insert((need.role, need.node, need.targets.clone())) {
            *own.entry(need.role).or_default() += 1;
        }
    }
    for need in &needs {
        own.entry(need.role).or_insert(1);
    }
    let mut receptions = 0;
    let roles = stg.roles();
    for role in &roles {
        let told = own.get(role).copied().unwrap_or(0);
        let known = data.get(role).map_or(0, FxHashSet::len);
        receptions += told.max(known);
    }
    let apart = broken.difference(&touchable).count();
    (receptions + apart).max(broken.len())
}

/// A role that must receive something from a node on, after one of some targets.
struct Need {
    role: Role,
    node: NodeId,
    targets: Vec<NodeId>,
}

impl Need {
    fn new(role: Role, node: NodeId, targets: Vec<NodeId>) -> Self {
        Need {
            role,
            node,
            targets,
        }
    }
}

fn reachable(stg: &Stg, from: &[NodeId]) -> Vec<bool> {
    let mut reached = vec![false; stg.nodes().len()];
    let mut work: Vec<NodeId> = from.to_vec();
    while let Some(node) = work.pop() {
        if !std::mem::replace(&mut reached[node.index()], true) {
            work.extend(stg.outgoing(node).map(|(_, edge)| edge.target));
        }
    }
    reached
}

/// The nodes on chains without branches that start at some nodes, to the first node that branches or ends.
fn reached_by_chain(stg: &Stg, from: &[NodeId]) -> Vec<NodeId> {
    let mut found: Vec<NodeId> = Vec::new();
    for &start in from {
        let mut node = start;
        while !found.contains(&node) {
            found.push(node);
            let mut leaving = stg.outgoing(node);
            match (leaving.next(), leaving.next()) {
                (Some((_, edge)), None) => node = edge.target,
                _ => break,
            }
        }
    }
    found
}

//! Additions for large choreographies: all broken conditions are fixed at once, until none is left.
//!
//! Each round fixes what it can without looking at the rest of the round: lowest branches first, because a message
//! that a role receives further down also tells it of the branches above.

use choros_model::stg::{EdgeId, Message, NodeId, Role, Stg};
use rustc_hash::{FxHashMap, FxHashSet};

use super::draft::{Draft, Fix, Place};
use super::{Class, Search};
use crate::{AnalysisStop, Conditions, Violation};

/// More rounds than this mean that fixing one condition keeps breaking another.
const MAX_ROUNDS: usize = 64;

impl Search<'_, '_> {
    /// A draft that meets all conditions; `None` when none was found.
    pub(super) fn greedy(&mut self, start: &Draft) -> Result<Option<Draft>, AnalysisStop> {
        let mut draft = start.clone();
        for _ in 0..MAX_ROUNDS {
            let (stg, edges, found) = self.examine(&draft)?;
            if found.violations.is_empty() {
                return Ok(Some(draft));
            }
            let nodes = draft.node_numbers();
            let mut fixes = self.branching_fixes(&draft, &stg, &edges, &found);
            if fixes.is_empty() {
                fixes = self.data_fixes(&draft, &stg, &edges, &nodes, &found);
            }
            if fixes.is_empty() {
                fixes = self.ordering_fixes(&draft, &stg, &edges, &nodes, &found);
            }
            if fixes.is_empty() {
                return Ok(None);
            }
            for fix in fixes {
                self.budget.spend()?;
                draft.insert(&fix, self.terms);
            }
        }
        Ok(None)
    }

    /// Chains of messages to those who do not learn of it, one chain per branch.
    fn branching_fixes(
        &self,
        draft: &Draft,
        stg: &Stg,
        edges: &[usize],
        found: &Conditions,
    ) -> Vec<Fix> {
        let lowest = lowest(stg, found);
        let mut chains: Vec<Chain> = Vec::new();
        for (index, violation) in found.violations.iter().enumerate() {
            let Violation::Uninformed {
                branch,
                role,
                dominant,
                ..
            } = violation
            else {
                continue;
            };
            if !lowest[index] {
                continue;
            }
            let entry = (*role, violation.message(stg, self.terms));
            match chains.last_mut().filter(|chain| chain.0 == *branch) {
                Some(chain) => chain.2.push(entry),
                None => chains.push((*branch, *dominant, vec![entry])),
            }
        }
        let numbers = draft.branch_numbers();
        let mut fixes = Vec::new();
        for (branch, dominant, mut told) in chains {
            let next = stg.edge(branch).event.message();
            // Who sends next is told last.
            told.sort_by_key(|(role, _)| next.is_some_and(|message| message.from == *role));
            let mut from = dominant;
            for (role, reason) in told {
                fixes.push(Fix {
                    place: Place::Before(edges[branch.index()]),
                    class: Class::Branching(numbers[edges[branch.index()]]),
                    from,
                    to: role,
                    carries: None,
                    reason,
                });
                if matches!(self.mode, crate::Mode::Receiver | crate::Mode::Disjoint) {
                    from = role;
                }
            }
        }
        fixes
    }

    fn data_fixes(
        &self,
        draft: &Draft,
        stg: &Stg,
        edges: &[usize],
        nodes: &[usize],
        found: &Conditions,
    ) -> Vec<Fix> {
        let mut told = FxHashSet::default();
        let mut fixes = Vec::new();
        for violation in &found.violations {
            let (node, role, variable) = match violation {
                Violation::UnknownCondition {
                    node,
                    role,
                    variable,
                    ..
                } => (*node, *role, *variable),
                Violation::UnknownData {
                    edge,
                    role,
                    variable,
                    ..
                } => (stg.edge(*edge).source, *role, *variable),
                _ => continue,
            };
            if told.insert((node, role, variable))
                && let Some(mut fix) = self
                    .fixes(draft, stg, edges, nodes, violation)
                    .into_iter()
                    .next()
            {
                // Before the state, not on one branch: several branches may need it.
                fix.place = Place::State(nodes[node.index()]);
                fixes.push(fix);
            }
        }
        fixes
    }

    /// One message per state where one keeps everything there in order, otherwise one per pair.
    fn ordering_fixes(
        &self,
        draft: &Draft,
        stg: &Stg,
        edges: &[usize],
        nodes: &[usize],
        found: &Conditions,
    ) -> Vec<Fix> {
        let mut incoming: FxHashMap<NodeId, Vec<&Message>> = FxHashMap::default();
        for edge in stg.edges() {
            if let Some(message) = edge.event.message() {
                incoming.entry(edge.target).or_default().push(message);
            }
        }
        let mut mended_states: FxHashSet<NodeId> = FxHashSet::default();
        let mut mended_edges: FxHashSet<EdgeId> = FxHashSet::default();
        let mut fixes = Vec::new();
        for violation in &found.violations {
            let Violation::Unordered { first, second, .. } = violation else {
                continue;
            };
            let node = stg.edge(*second).source;
            if mended_states.contains(&node) || !mended_edges.insert(*second) {
                continue;
            }
            let ends = (
                stg.edge(*first).event.message(),
                stg.edge(*second).event.message(),
            );
            let (Some(before), Some(after)) = ends else {
                continue;
            };
            let bridges = self.mode.bridges(before, after);
            let arriving = incoming.get(&node).map_or(&[][..], Vec::as_slice);
            let leaving: Vec<&Message> = stg
                .outgoing(node)
                .filter_map(|(_, edge)| edge.event.message())
                .collect();
            let fits = |&(from, to): &(Role, Role), leaving: &[&Message]| {
                let probe = Message {
                    from,
                    to,
                    ..after.clone()
                };
                arriving.iter().all(|it| self.mode.connected(it, &probe))
                    && leaving.iter().all(|it| self.mode.connected(&probe, it))
            };
            let reason = violation.message(stg, self.terms);
            let whole = bridges.iter().find(|ends| fits(ends, &leaving));
            let on_branch = bridges.iter().find(|ends| fits(ends, &[after]));
            let fix = |place, &(from, to): &(Role, Role)| Fix {
                place,
                class: Class::Ordering,
                from,
                to,
                carries: None,
                reason: reason.clone(),
            };
            if let Some(ends) = whole {
                mended_states.insert(node);
                fixes.retain(|known: &Fix| {
                    !matches!(known.place, Place::Before(edge)
                        if stg.outgoing(node).any(|(id, _)| edges[id.index()] == edge))
                });
                fixes.push(fix(Place::State(nodes[node.index()]), ends));
            } else if let Some(ends) = on_branch {
                fixes.push(fix(Place::Before(edges[second.index()]), ends));
            } else if let Some(ends) = bridges.first() {
                // Several ways meet here, and no message is in order after all of them.
                let first = edges[first.index()];
                if draft.edges[first].target == draft.edges[edges[second.index()]].source {
                    fixes.push(fix(Place::Behind(first), ends))
                } else {
                    fixes.push(fix(Place::Before(edges[second.index()]), ends))
                }
            }
        }
        fixes
    }
}

/// For each violation, whether it is about a role that does not learn of a branch, and of no branch further down either.
fn lowest(stg: &Stg, found: &Conditions) -> Vec<bool> {
    let mut needs: FxHashMap<Role, Vec<usize>> = FxHashMap::default();
    let mut order: Vec<Role> = Vec::new();
    for (index, violation) in found.violations.iter().enumerate() {
        if let Violation::Uninformed { role, .. } = violation {
            if !needs.contains_key(role) {
                order.push(*role);
            }
            needs.entry(*role).or_default().push(index);
        }
    }
    let mut incoming: Vec<Vec<NodeId>> = vec![Vec::new(); stg.nodes().len()];
    for edge in stg.edges() {
        incoming[edge.target.index()].push(edge.source);
    }
    let mut lowest = vec![false; found.violations.len()];
    let mut any = false;
    for role in order {
        let own = needs.get(&role).map_or(&[][..], Vec::as_slice);
        // Nodes from which a branching with such a need can be reached.
        let mut above = vec![false; stg.nodes().len()];
        let mut work: Vec<NodeId> = Vec::new();
        for &index in own {
            if let Violation::Uninformed { node, .. } = &found.violations[index]
                && !std::mem::replace(&mut above[node.index()], true)
            {
                work.push(*node);
            }
        }
        while let Some(node) = work.pop() {
            for &source in &incoming[node.index()] {
                if !std::mem::replace(&mut above[source.index()], true) {
                    work.push(source);
                }
            }
        }
        for &index in own {
            if let Violation::Uninformed { branch, .. } = &found.violations[index] {
                let target = stg.edge(*branch).target;
                lowest[index] = !above[target.index()];
                any |= lowest[index];
            }
        }
    }
    // In loops every need may lie below another one: then start somewhere.
    if !any
        && let Some(first) = found
            .violations
            .iter()
            .position(|it| matches!(it, Violation::Uninformed { .. }))
    {
        lowest[first] = true;
    }
    lowest
}

/// A branch, the role that chose it, and the roles to be told, each with the reason.
type Chain = (EdgeId, Role, Vec<(Role, String)>);

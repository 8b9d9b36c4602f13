//! Ways to fix one broken condition, the ones to prefer first.

use choros_model::stg::{EdgeId, NodeId, Role, Stg};

use super::draft::{Draft, Fix, Place, draft_edge};
use super::{Class, Search};
use crate::{Conditions, Mode, Violation};

impl Search<'_, '_> {
    /// Ways to fix the first condition of those that are broken.
    ///
    /// Branching comes first, because it leaves least choice and its messages may fix the order as well; then data,
    /// then order.
    pub(super) fn candidates(
        &self,
        draft: &Draft,
        stg: &Stg,
        edges: &[usize],
        nodes: &[usize],
        found: &Conditions,
    ) -> Vec<Fix> {
        let first = |wanted: fn(&Violation) -> bool| found.violations.iter().find(|it| wanted(it));
        if let Some(Violation::Uninformed { node, branch, .. }) =
            first(|it| matches!(it, Violation::Uninformed { .. }))
        {
            return self.notifications(draft, stg, edges, found, (*node, branch.0));
        }
        let violation = first(|it| matches!(it, Violation::UnknownCondition { .. }))
            .or_else(|| first(|it| matches!(it, Violation::UnknownData { .. })))
            .or_else(|| found.violations.first());
        match violation {
            Some(violation) => self.fixes(draft, stg, edges, nodes, violation),
            None => Vec::new(),
        }
    }

    /// Ways to tell one more role which branch was chosen.
    fn notifications(
        &self,
        draft: &Draft,
        stg: &Stg,
        edges: &[usize],
        found: &Conditions,
        (at, first): (NodeId, u32),
    ) -> Vec<Fix> {
        let start = edges[first as usize];
        let (last, behind) = draft.chain_end(start);
        let mut fixes = Vec::new();
        let mut late = Vec::new();
        for violation in &found.violations {
            let Violation::Uninformed {
                node,
                branch,
                role,
                dominant,
            } = violation
            else {
                continue;
            };
            if *node != at || branch.0 != first {
                continue;
            }
            // What was chosen is the branch of the original, whatever has been put before it.
            let told = edges.iter().position(|&edge| edge == behind);
            let told = told.map_or(*branch, |position| EdgeId(position as u32));
            let reason = Violation::Uninformed {
                node: *node,
                branch: told,
                role: *role,
                dominant: *dominant,
            }
            .message(stg, self.terms);
            let fix = |place: Place, from: Role| Fix {
                place,
                class: Class::Branching(draft.branch_number(behind)),
                from,
                to: *role,
                carries: None,
                reason: reason.clone(),
            };
            let mut senders = vec![*dominant];
            if let Some(message) = last.and_then(|last| draft.message(last)) {
                senders.extend([message.to, message.from]);
            }
            if matches!(self.mode, Mode::Receiver | Mode::Disjoint) {
                // Each sent by the receiver of the one before.
                senders.rotate_left(1);
            }
            for (position, &from) in senders.iter().enumerate() {
                if from != *role && !senders[..position].contains(&from) {
                    let sends = draft
                        .message(behind)
                        .is_some_and(|message| message.from == *role);
                    // Who sends next is told last, or what follows would be out of order.
                    if sends {
                        late.push(fix(Place::Before(behind), from))
                    } else {
                        fixes.push(fix(Place::Before(behind), from))
                    }
                }
            }
            if let Some(message) = draft.message(behind) {
                for from in [message.to, message.from] {
                    if from != *role {
                        late.push(fix(Place::Behind(behind), from));
                    }
                }
            }
        }
        fixes.extend(late);
        fixes
    }

    /// Ways to fix a condition on data or order.
    pub(super) fn fixes(
        &self,
        draft: &Draft,
        stg: &Stg,
        edges: &[usize],
        nodes: &[usize],
        violation: &Violation,
    ) -> Vec<Fix> {
        let reason = violation.message(stg, self.terms);
        let fix = |place: Place, class: Class, (from, to): (Role, Role), carries| Fix {
            place,
            class,
            from,
            to,
            carries,
            reason: reason.clone(),
        };
        let mut fixes = Vec::new();
        match violation {
            // No message keeps time from passing.
            Violation::Race { .. } => {}
            Violation::UnknownData {
                edge,
                role,
                variable,
                owners,
            } => {
                let edge = draft_edge(edges, *edge);
                let node = draft.edges[edge].source;
                for &owner in owners {
                    let ends = (owner, *role);
                    fixes.push(fix(Place::Before(edge), Class::Data, ends, Some(*variable)));
                }
                if draft.ways(node) > 1 || draft.guard(edge) != choros_data::Term::TRUE {
                    for &owner in owners {
                        let ends = (owner, *role);
                        fixes.push(fix(Place::State(node), Class::Data, ends, Some(*variable)));
                    }
                }
            }
            Violation::UnknownCondition {
                node,
                role,
                variable,
                owners,
                ..
            } => {
                let place = Place::State(nodes[node.index()]);
                // The owner that sends most of the branches keeps most of them in order.
                let mut owners = owners.clone();
                let sends = |owner: Role| {
                    stg.outgoing(*node)
                        .filter_map(|(_, edge)| edge.event.message())
                        .filter(|message| message.from == owner && message.to != *role)
                        .count()
                };
                owners.sort_by_key(|&owner| std::cmp::Reverse(sends(owner)));
                for owner in owners {
                    let ends = (owner, *role);
                    let class = Class::ConditionalBranching;
                    fixes.push(fix(place, class, ends, Some(*variable)));
                }
                for (id, edge) in stg.outgoing(*node) {
                    let Some(message) = edge.event.message() else {
                        continue;
                    };
                    if message.from == *role || message.to == *role {
                        continue;
                    }
                    let place = draft_edge(edges, id);
                    let class = Class::Branching(draft.branch_number(draft.chain_end(place).1));
                    for place in [Place::Before(place), Place::Behind(place)] {
                        for from in [message.from, message.to] {
                            fixes.push(fix(place, class, (from, *role), None));
                        }
                    }
                }
            }
            Violation::Unordered { first, second, .. } => {
                let (first, second) = (draft_edge(edges, *first), draft_edge(edges, *second));
                let node = draft.edges[second].source;
                let (Some(before), Some(after)) = (draft.message(first), draft.message(second))
                else {
                    return fixes;
                };
                let single = draft.ways(node) < 2;
                let guarded = draft.guard(second) != choros_data::Term::TRUE;
                let mut places = match single {
                    true if guarded => vec![Place::State(node)],
                    true => vec![Place::Before(second)],
                    false => vec![Place::Before(second), Place::State(node)],
                };
                if draft.arriving(node).nth(1).is_some() {
                    places.push(Place::Behind(first));
                }
                for place in places {
                    for ends in self.mode.bridges(before, after) {
                        fixes.push(fix(place, Class::Ordering, ends, None));
                    }
                }
            }
            Violation::Uninformed { .. } => {}
        }
        fixes
    }
}

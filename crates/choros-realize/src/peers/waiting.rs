//! Does a role wait for something that can no longer come?
//!
//! The roles may continue forever without one of them, which then waits for a message that was possible in another run.
//! Where the choreography may have ended for all the role knows, that is no harm: it may as well be at its end.

use choros_data::Term;
use choros_model::evidence::Tree;
use choros_model::stg::{Direction, EdgeId, NodeId, Role};
use choros_model::{Evidence, Verdict};
use rustc_hash::FxHashMap;

use super::Peers;
use super::breach::{run, trace};
use super::protocol::{Part, Protocol};
use crate::AnalysisStop;
use crate::tools::Tools;

/// The answer if a role may wait forever, or if that is not settled.
pub(super) fn for_ever(
    protocol: &Protocol,
    role: Role,
    tools: &mut Tools<'_>,
) -> Result<Option<Peers>, AnalysisStop> {
    let hopeless = hopeless(protocol, role);
    if !hopeless.contains(&true) {
        return Ok(None);
    }
    let name = tools.terms.names.text(role.0).to_owned();
    let mut sets = Sets::new(protocol, role);
    let mut next = 0;
    while next < sets.all.len() {
        tools.budget.spend()?;
        let members = sets.all[next].nodes.clone();
        // With data, not every state of the set need be possible.
        let ended = !protocol.has_data()
            && members
                .iter()
                .any(|&it| !protocol.stg().node(it).terminations.is_empty());
        let lost = members.iter().find(|&&it| hopeless[it.index()]);
        let waits = members.iter().any(|&it| {
            let mut edges = protocol.stg().outgoing(it);
            edges.any(|(id, _)| protocol.part(id, role) == Part::Receives)
        });
        if let (Some(&lost), true, false) = (lost, waits, ended) {
            if protocol.has_data() {
                return Ok(Some(Peers::unknown(format!(
                    "it is not settled whether `{name}` may wait forever"
                ))));
            }
            let steps = sets.run_to(next, lost);
            let steps = steps.iter().map(|&edge| (edge, Direction::Interaction));
            let reason = format!("`{name}` may wait forever while the others continue");
            let evidence = Evidence::Tree(Tree {
                claim: reason.clone(),
                origin: None,
                evidence: None,
                because: vec![run(
                    "after this run it never takes part again, and has not ended",
                    trace(protocol.stg(), steps, "", tools.terms),
                )],
            });
            return Ok(Some(Peers {
                verdict: Verdict::Fails(evidence),
                reason,
                nobody_could: false,
                not_told: Vec::new(),
            }));
        }
        sets.follow(next);
        next += 1;
    }
    Ok(None)
}

/// The states after which the role may do nothing more while the choreography never ends.
///
/// A state is good if the role may act in it, if it may end, or if something that is always possible leads to a good
/// one; or, because the choreography never stops before its end, if everything that may be possible does.
fn hopeless(protocol: &Protocol, role: Role) -> Vec<bool> {
    let stg = protocol.stg();
    let mut good = vec![false; stg.nodes().len()];
    let mut grown = true;
    while std::mem::take(&mut grown) {
        for node in stg.node_ids() {
            if good[node.index()] {
                continue;
            }
            let ends = &stg.node(node).terminations;
            let ends_surely = ends.iter().any(|it| it.guard == Term::TRUE);
            let (mut some, mut all) = (ends_surely, !ends.is_empty());
            let mut bad = false;
            for (id, edge) in stg.outgoing(node) {
                let leads = good[edge.target.index()] || protocol.part(id, role) != Part::Nothing;
                some |= leads && edge.guard == Term::TRUE;
                all |= leads;
                bad |= !leads;
            }
            if some || (all && !bad) {
                good[node.index()] = true;
                grown = true;
            }
        }
    }
    good.into_iter().map(|good| !good).collect()
}

/// A set of states, closed under what the role does not see.
struct Belief {
    nodes: Vec<NodeId>,
    /// The set and the label it was reached by.
    from: Option<(usize, usize)>,
}

/// What the role may take for the state of the choreography: the subset construction.
struct Sets<'a> {
    protocol: &'a Protocol,
    role: Role,
    all: Vec<Belief>,
    ids: FxHashMap<Vec<NodeId>, usize>,
}

impl<'a> Sets<'a> {
    fn new(protocol: &'a Protocol, role: Role) -> Self {
        let mut sets = Self {
            protocol,
            role,
            all: Vec::new(),
            ids: FxHashMap::default(),
        };
        sets.add(vec![protocol.stg().initial()], None);
        sets
    }

    fn add(&mut self, mut nodes: Vec<NodeId>, from: Option<(usize, usize)>) {
        let mut next = 0;
        while next < nodes.len() {
            for (id, edge) in self.protocol.stg().outgoing(nodes[next]) {
                let unseen = self.protocol.part(id, self.role) == Part::Nothing;
                if unseen && !nodes.contains(&edge.target) {
                    nodes.push(edge.target);
                }
            }
            next += 1;
        }
        nodes.sort();
        if !self.ids.contains_key(&nodes) {
            self.ids.insert(nodes.clone(), self.all.len());
            self.all.push(Belief { nodes, from });
        }
    }

    fn follow(&mut self, number: usize) {
        let mut targets: Vec<(usize, Vec<NodeId>)> = Vec::new();
        for &node in &self.all[number].nodes {
            for (id, edge) in self.protocol.stg().outgoing(node) {
                let (Some(label), true) = (
                    self.protocol.label(id),
                    self.protocol.part(id, self.role) != Part::Nothing,
                ) else {
                    continue;
                };
                match targets.iter_mut().find(|(known, _)| *known == label) {
                    Some((_, nodes)) if nodes.contains(&edge.target) => {}
                    Some((_, nodes)) => nodes.push(edge.target),
                    None => targets.push((label, vec![edge.target])),
                }
            }
        }
        for (label, nodes) in targets {
            self.add(nodes, Some((number, label)));
        }
    }

    /// A shortest run to a member of a set in which the role sees what led to the set.
    fn run_to(&self, number: usize, goal: NodeId) -> Vec<EdgeId> {
        let mut seen: Vec<usize> = Vec::new();
        let mut here = number;
        while let Some((before, label)) = self.all[here].from {
            seen.push(label);
            here = before;
        }
        seen.reverse();
        let stg = self.protocol.stg();
        let start = (stg.initial(), 0);
        let mut from: FxHashMap<(NodeId, usize), ((NodeId, usize), EdgeId)> = FxHashMap::default();
        let mut work = vec![start];
        let mut next = 0;
        while next < work.len() {
            let (node, position) = work[next];
            next += 1;
            for (id, edge) in stg.outgoing(node) {
                let position = match self.protocol.part(id, self.role) {
                    Part::Nothing => position,
                    _ if self.protocol.label(id) == seen.get(position).copied() => position + 1,
                    _ => continue,
                };
                let target = (edge.target, position);
                if target != start && !from.contains_key(&target) {
                    from.insert(target, (work[next - 1], id));
                    work.push(target);
                }
            }
        }
        let mut run = Vec::new();
        let mut at = (goal, seen.len());
        while let Some(&(before, edge)) = from.get(&at) {
            run.push(edge);
            at = before;
        }
        run.reverse();
        run
    }
}

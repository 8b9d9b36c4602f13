//! The corrected conditions on branching: what a role cannot distinguish, and what it may get wrong there.
//!
//! The thesis calls a role told if it receives anything later on a branch.
//! Here a role is told if no two states that *look alike* to it, because runs lead there in which it sends and receives
//! the same, ask different things of it:
//!
//! - what it may send in one it may send in the other, perhaps after steps of others;
//! - it does not send in one and wait in the other;
//! - all that it waits for comes from one role;
//! - where one may end it waits for nothing in the other, unless it may stay there;
//! - where one continues without it forever it waits for nothing in the other;
//! - where it sends next and may not end, the other may not end.
//!
//! No branch begins like another, and in the mode `receiver` nothing is chosen by a sending.
//! With the thesis' condition on ordering that is enough for choreographies without data: the README has the argument.
//! With data it explains, and proves nothing.

use std::collections::VecDeque;

use choros_base::CodeInfo;
use choros_data::{Term, Terms};
use choros_model::stg::{EdgeId, Message, NodeId, Role, Stg};
use choros_smt::SolverError;
use rustc_hash::FxHashMap;

use crate::branching::{Branching, Decision};
use crate::diagnostics::untold_role;
use crate::knowledge::Knowledge;
use crate::reachability::contradiction::{Oracle, Together};
use crate::roles::Roles;
use crate::tools::Tools;
use crate::{Closing, Mode};

/// What the corrected conditions say of a graph.
#[derive(Debug, Clone, Default)]
pub struct Awareness {
    /// What is broken: choices first, then the nearest fault of each role, in the order of roles.
    pub faults: Vec<AwarenessViolation>,
    /// Whether a role has too many pairs of states to be examined.
    pub cut: bool,
}

/// A broken condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AwarenessViolation {
    /// Two branches begin with the same message.
    Alike {
        /// Where it branches.
        node: NodeId,
        /// One of them.
        branch: EdgeId,
    },
    /// A sending decides, and the mode shows receptions only.
    Unseen {
        /// Where it branches.
        node: NodeId,
        /// What is sent on one branch.
        branch: EdgeId,
    },
    /// A role cannot tell two states apart.
    Role {
        role: Role,
        /// What it may get wrong.
        fault: Fault,
        /// Where the runs to the two states part, and how they continue.
        parting: Divergence,
    },
}

/// What a role may get wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It may send this where it must not.
    Sends(EdgeId),
    /// It is to send the first in one state, and to wait for the second in the other.
    SendsOrWaits(EdgeId, EdgeId),
    /// It waits for messages of different roles.
    WaitsForTwo(EdgeId, EdgeId),
    /// It waits for this where all is over.
    WaitsAfterTheEnd(EdgeId),
    /// It waits for this where the others continue without it.
    WaitsForEver(EdgeId),
    /// It is to send this in one state, and may end in the other.
    SendsOrEnds(EdgeId),
}

/// Where two runs part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Divergence {
    /// The last state that both pass.
    pub node: NodeId,
    /// What happens next on the way to each of the states; `None` if that is where it leads.
    pub ways: [Option<EdgeId>; 2],
}

/// More pairs of states of a role are not examined.
const MAX_PAIRS: usize = 20_000;

/// Looks for roles that do not learn of a choice in time.
pub(crate) fn told(
    stg: &Stg,
    mode: Mode,
    closing: &Closing,
    branchings: &[Branching],
    knowledge: &Knowledge,
    tools: &mut Tools<'_>,
) -> Result<Awareness, SolverError> {
    let mut told = Awareness::default();
    // The mode per role has conditions of its own.
    if mode == Mode::Peers {
        return Ok(told);
    }
    let unless_ended = unless_ended(stg, tools)?;
    let terms = &*tools.terms;
    let mut decided = vec![false; stg.nodes().len()];
    for branching in branchings {
        decided[branching.node.index()] |= branching.decision == Decision::Data;
    }
    let by_data = |node: NodeId| decided[node.index()];
    for node in stg.node_ids().filter(|&node| !by_data(node)) {
        told.faults.extend(choice(stg, node, mode));
    }
    let roles = Roles::of(stg);
    for &role in roles.all() {
        let knows = |node: NodeId| {
            let guards = stg.outgoing(node).map(|(_, edge)| edge.guard);
            let mut variables = guards.flat_map(|guard| terms.free_variables(guard));
            by_data(node) && variables.all(|it| knowledge.knows(node, role, it, &roles))
        };
        let known = |node: NodeId, condition: Term| {
            let variables = terms.free_variables(condition);
            variables
                .into_iter()
                .all(|it| knowledge.knows(node, role, it, &roles))
        };
        let unless_ended = unless_ended.iter().copied().filter(|&id| {
            let edge = stg.edge(id);
            let ends = &stg.node(edge.source).terminations;
            let mut conditions = ends.iter().map(|it| it.guard).chain([edge.guard]);
            conditions.all(|it| known(edge.source, it))
        });
        let look = Look {
            stg,
            role,
            unless_ended: unless_ended.collect(),
            stays: match closing {
                Closing::Together => true,
                Closing::Alone { services } => services.contains(&role),
            },
            ahead: ahead(stg, role),
        };
        match look.first(&knows) {
            Found::Fault(fault, parting) => told.faults.push(AwarenessViolation::Role {
                role,
                fault,
                parting,
            }),
            Found::TooMany => told.cut = true,
            Found::Nothing => {}
        }
    }
    Ok(told)
}

/// The edges that are possible only where their node may not end.
fn unless_ended(stg: &Stg, tools: &mut Tools<'_>) -> Result<Vec<EdgeId>, SolverError> {
    let mut oracle = Oracle::new(tools.solver);
    let mut found = Vec::new();
    for (index, edge) in stg.edges().iter().enumerate() {
        let ends = stg.termination(edge.source, tools.terms);
        if ends != Term::FALSE
            && edge.guard != Term::TRUE
            && oracle.together(tools.terms, &[edge.guard, ends])? == Together::Impossible
        {
            found.push(EdgeId(index as u32));
        }
    }
    Ok(found)
}

/// What is wrong with the choice at a node, no matter which roles are told.
fn choice(stg: &Stg, node: NodeId, mode: Mode) -> Option<AwarenessViolation> {
    let ways: Vec<(EdgeId, &Message)> = stg
        .outgoing(node)
        .filter_map(|(id, edge)| Some((id, edge.event.message()?)))
        .collect();
    for (position, &(branch, message)) in ways.iter().enumerate() {
        if ways[..position].iter().any(|it| same(it.1, message)) {
            return Some(AwarenessViolation::Alike { node, branch });
        }
    }
    let ends = usize::from(!stg.node(node).terminations.is_empty());
    match ways.first() {
        Some(&(branch, _)) if mode == Mode::Receiver && ways.len() + ends > 1 => {
            Some(AwarenessViolation::Unseen { node, branch })
        }
        _ => None,
    }
}

fn same(one: &Message, other: &Message) -> bool {
    (one.operation, one.from, one.to) == (other.operation, other.from, other.to)
}

/// What a role may do next from a node, after steps of others.
#[derive(Debug, Clone, Default)]
struct Ahead {
    events: Vec<EdgeId>,
    ends: bool,
}

fn ahead(stg: &Stg, role: Role) -> Vec<Ahead> {
    let mut all: Vec<Ahead> = stg
        .node_ids()
        .map(|node| Ahead {
            events: Vec::new(),
            ends: !stg.node(node).terminations.is_empty(),
        })
        .collect();
    let mut changed = true;
    while changed {
        changed = false;
        for (index, edge) in stg.edges().iter().enumerate().rev() {
            let source = edge.source.index();
            let behind = if takes_part(stg, EdgeId(index as u32), role) {
                Ahead {
                    events: vec![EdgeId(index as u32)],
                    ends: false,
                }
            } else {
                all[edge.target.index()].clone()
            };
            for event in behind.events {
                if !all[source].events.contains(&event) {
                    all[source].events.push(event);
                    changed = true;
                }
            }
            changed |= behind.ends && !std::mem::replace(&mut all[source].ends, true);
        }
    }
    all
}

fn takes_part(stg: &Stg, edge: EdgeId, role: Role) -> bool {
    let message = stg.edge(edge).event.message();
    message.is_some_and(|it| it.from == role || it.to == role)
}

/// One role looks at the choreography.
struct Look<'a> {
    stg: &'a Stg,
    role: Role,
    /// Whether it may stay where it waits, if all may be over.
    stays: bool,
    /// The edges of which it knows, where they are possible, that all is not over.
    unless_ended: Vec<EdgeId>,
    ahead: Vec<Ahead>,
}

enum Found {
    Nothing,
    TooMany,
    Fault(Fault, Divergence),
}

/// Two states that look alike, and how the second-last pair led there.
struct Pair {
    nodes: [NodeId; 2],
    came: Option<(usize, [Option<EdgeId>; 2])>,
}

impl Look<'_> {
    /// The nearest pair of states that look alike and ask different things.
    fn first(&self, knows: &dyn Fn(NodeId) -> bool) -> Found {
        let start = [self.stg.initial(); 2];
        let mut pairs = vec![Pair {
            nodes: start,
            came: None,
        }];
        let mut seen: FxHashMap<[NodeId; 2], usize> = FxHashMap::from_iter([(start, 0)]);
        let mut work = VecDeque::from([0]);
        while let Some(index) = work.pop_front() {
            let nodes = pairs[index].nodes;
            // Who knows the data that decide here cannot take one branch for another.
            let decided = nodes[0] == nodes[1] && knows(nodes[0]);
            if !decided && let Some(fault) = self.fault(nodes) {
                return Found::Fault(fault, self.parting(&pairs, index));
            }
            for (ways, next) in self.moves(nodes, knows) {
                if pairs.len() > MAX_PAIRS {
                    return Found::TooMany;
                }
                if seen.insert(next, pairs.len()).is_none() {
                    work.push_back(pairs.len());
                    pairs.push(Pair {
                        nodes: next,
                        came: Some((index, ways)),
                    });
                }
            }
        }
        Found::Nothing
    }

    /// Steps after which two states still look alike.
    fn moves(
        &self,
        [left, right]: [NodeId; 2],
        knows: &dyn Fn(NodeId) -> bool,
    ) -> Vec<([Option<EdgeId>; 2], [NodeId; 2])> {
        let mut moves = Vec::new();
        let target = |id: EdgeId| self.stg.edge(id).target;
        // Who knows the data that decide here goes the same way in both runs.
        let together = left == right && knows(left);
        for (one, edge) in self.stg.outgoing(left) {
            if together {
                moves.push(([Some(one); 2], [target(one); 2]));
                continue;
            }
            if !takes_part(self.stg, one, self.role) {
                moves.push(([Some(one), None], [target(one), right]));
                continue;
            }
            for (other, beside) in self.stg.outgoing(right) {
                let messages = edge.event.message().zip(beside.event.message());
                if messages.is_some_and(|(one, other)| same(one, other)) {
                    moves.push(([Some(one), Some(other)], [target(one), target(other)]));
                }
            }
        }
        if !together {
            for (other, edge) in self.stg.outgoing(right) {
                if !takes_part(self.stg, other, self.role) {
                    moves.push(([None, Some(other)], [left, edge.target]));
                }
            }
        }
        moves
    }

    /// What the role may get wrong if it takes one state for the other.
    fn fault(&self, [left, right]: [NodeId; 2]) -> Option<Fault> {
        let ends = |node: NodeId| !self.stg.node(node).terminations.is_empty();
        let there = &self.ahead[right.index()];
        for (id, edge) in self.stg.outgoing(left) {
            let Some(message) = edge.event.message() else {
                continue;
            };
            if message.from == self.role {
                let mut events = there.events.iter();
                if !events.any(|&it| self.is(it, message)) {
                    return Some(Fault::Sends(id));
                }
                if let Some(other) = self.received(right, |_| true) {
                    return Some(Fault::SendsOrWaits(id, other));
                }
                if !ends(left) && ends(right) {
                    return Some(Fault::SendsOrEnds(id));
                }
            } else if message.to == self.role {
                if let Some(other) = self.received(right, |it| it.from != message.from) {
                    return Some(Fault::WaitsForTwo(id, other));
                }
                let decided = left == right && self.unless_ended.contains(&id);
                if ends(right) && !self.stays && !decided {
                    return Some(Fault::WaitsAfterTheEnd(id));
                }
                if there.events.is_empty() && !there.ends {
                    return Some(Fault::WaitsForEver(id));
                }
            }
        }
        None
    }

    fn is(&self, edge: EdgeId, message: &Message) -> bool {
        let other = self.stg.edge(edge).event.message();
        other.is_some_and(|other| same(other, message))
    }

    /// A message that the role receives at a node.
    fn received(&self, node: NodeId, wanted: impl Fn(&Message) -> bool) -> Option<EdgeId> {
        let mut leaving = self.stg.outgoing(node);
        let found = leaving.find(|(_, edge)| {
            let message = edge.event.message();
            message.is_some_and(|it| it.to == self.role && wanted(it))
        });
        found.map(|it| it.0)
    }

    /// Where the runs to a pair part.
    fn parting(&self, pairs: &[Pair], mut index: usize) -> Divergence {
        let mut runs: [Vec<EdgeId>; 2] = Default::default();
        while let Some((before, ways)) = pairs[index].came {
            for (run, way) in runs.iter_mut().zip(ways) {
                run.extend(way);
            }
            index = before;
        }
        for run in &mut runs {
            run.reverse();
        }
        let [left, right] = &runs;
        let common = left.iter().zip(right).take_while(|(a, b)| a == b).count();
        let node = match common {
            0 => self.stg.initial(),
            many => self.stg.edge(left[many - 1]).target,
        };
        Divergence {
            node,
            ways: [left.get(common).copied(), right.get(common).copied()],
        }
    }
}

impl AwarenessViolation {
    /// The diagnostic that explains it.
    pub fn code(&self) -> &'static CodeInfo {
        &untold_role::CODE
    }

    /// The role that does not learn of it; `None` where the choice itself is at fault.
    pub fn role(&self) -> Option<Role> {
        match self {
            AwarenessViolation::Role { role, .. } => Some(*role),
            _ => None,
        }
    }

    /// The state of the choice.
    pub fn node(&self) -> NodeId {
        match self {
            AwarenessViolation::Alike { node, .. } | AwarenessViolation::Unseen { node, .. } => {
                *node
            }
            AwarenessViolation::Role { parting, .. } => parting.node,
        }
    }

    /// The transitions it is about.
    pub fn edges(&self) -> Vec<EdgeId> {
        match *self {
            AwarenessViolation::Alike { branch, .. }
            | AwarenessViolation::Unseen { branch, .. } => vec![branch],
            AwarenessViolation::Role { fault, parting, .. } => {
                let (first, second) = fault.messages();
                let ways = parting.ways.into_iter().flatten();
                ways.chain([first]).chain(second).collect()
            }
        }
    }

    /// One sentence that says what may go wrong.
    pub fn message(&self, stg: &Stg, terms: &Terms) -> String {
        let event = |id: EdgeId| stg.edge(id).event.shown(terms);
        let label = |node: &NodeId| stg.node(*node).label.clone();
        match self {
            AwarenessViolation::Alike { node, branch } => format!(
                "two branches of state {} begin with `{}`",
                label(node),
                event(*branch)
            ),
            AwarenessViolation::Unseen { node, branch } => format!(
                "in state {} the sender of `{}` chooses by sending it",
                label(node),
                event(*branch)
            ),
            AwarenessViolation::Role { role, fault, .. } => {
                let role = terms.names.text(role.0);
                match *fault {
                    Fault::Sends(it) => {
                        format!("`{role}` may send `{}` where it must not", event(it))
                    }
                    Fault::SendsOrWaits(one, other) => format!(
                        "`{role}` cannot know whether to send `{}` or to wait for `{}`",
                        event(one),
                        event(other)
                    ),
                    Fault::WaitsForTwo(one, other) => format!(
                        "`{role}` may have to take `{}` or `{}`, which come from different roles",
                        event(one),
                        event(other)
                    ),
                    Fault::WaitsAfterTheEnd(it) => {
                        format!(
                            "`{role}` may wait for `{}` after everything has ended",
                            event(it)
                        )
                    }
                    Fault::WaitsForEver(it) => {
                        format!("`{role}` may wait for `{}` forever", event(it))
                    }
                    Fault::SendsOrEnds(it) => format!(
                        "`{role}` cannot know whether to send `{}` or to end",
                        event(it)
                    ),
                }
            }
        }
    }

    /// Why it may: who does not learn of what.
    pub fn reason(&self, stg: &Stg, terms: &Terms) -> String {
        let event = |id: EdgeId| stg.edge(id).event.shown(terms);
        match self {
            AwarenessViolation::Alike { .. } => {
                "the first message does not show any role which branch it is".to_owned()
            }
            AwarenessViolation::Unseen { .. } => {
                "this mode shows receptions, and the choice is made before the first".to_owned()
            }
            AwarenessViolation::Role { role, parting, .. } => {
                let role = terms.names.text(role.0);
                let label = &stg.node(parting.node).label;
                let decider = |id: EdgeId| {
                    let from = stg.edge(id).event.message().map(|it| it.from);
                    from.map_or("", |it| terms.names.text(it.0))
                };
                match parting.ways {
                    [Some(one), Some(other)] if event(one) == event(other) => format!(
                        "two branches of state {label} begin with `{}`, and `{role}` cannot distinguish them",
                        event(one)
                    ),
                    [Some(one), Some(other)] => format!(
                        "in state {label} `{}` chooses between `{}` and `{}`, and `{role}` does not learn in time which",
                        decider(other),
                        event(one),
                        event(other)
                    ),
                    [Some(it), None] | [None, Some(it)] => format!(
                        "`{role}` does not learn in time whether `{}` happened in state {label}",
                        event(it)
                    ),
                    [None, None] => format!("both are possible in state {label}"),
                }
            }
        }
    }
}

impl Fault {
    fn messages(self) -> (EdgeId, Option<EdgeId>) {
        match self {
            Fault::SendsOrWaits(one, other) | Fault::WaitsForTwo(one, other) => (one, Some(other)),
            Fault::Sends(it)
            | Fault::WaitsAfterTheEnd(it)
            | Fault::WaitsForEver(it)
            | Fault::SendsOrEnds(it) => (it, None),
        }
    }
}

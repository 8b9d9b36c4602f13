//! The machine of a participant (Coto's thesis, Definition 2.2).
//!
//! | `G` | between `q₀` and `qₑ` |
//! |---|---|
//! | without the participant | a silent step |
//! | an interaction of it | one step |
//! | `G₁;G₂` | `G₁`, a fresh state, `G₂` |
//! | `G₁+G₂` | both, side by side |
//! | `G₁\|G₂` | all interleavings |
//! | `repeat G` | `G` from a fresh state back to it, with silent steps in and out |
//!
//! Every state but `q₀` and `qₑ` is fresh, so that nothing leaks from one branch into another; a loop has a state of
//! its own, because it comes back to where it began.
//! The whole is made deterministic and then minimal; there are no accepting states, so all states that nothing leaves
//! become one.
//! The thesis projects no loops; with them the row above is what unfolding without end gives.

use choros_base::{Budget, Name, StopReason};
use choros_model::cfsm::{Cfsm, LocalAction, LocalState};
use choros_model::gchor::{Form, Gchor, Interaction, NodeId, Roles};
use rustc_hash::FxHashMap;

use super::automaton::{Automaton, Deterministic, Edge};

/// How far a projection is reduced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reduction {
    /// Deterministic, without silent steps.
    Deterministic,
    /// Deterministic and minimal.
    Minimal,
}

/// The machine of a participant; of one that takes no part, a single state.
///
/// States are numbered breadth-first, actions in the order of first mention.
/// Each state that is made on the way takes a step of the budget.
pub fn project_gchor(
    gchor: &Gchor,
    role: Name,
    reduction: Reduction,
    budget: &Budget,
) -> Result<Cfsm, StopReason> {
    let roles = gchor.roles();
    let labels = Labels::new(gchor, role);
    let mut machine = Cfsm::new(role);
    let Some(root) = gchor.root() else {
        return Ok(machine);
    };
    let whole = behaviour(gchor, root, role, &roles, &labels, budget)?;
    // Breadth-first numbers in both cases: every state in a class of its own.
    let whole = match reduction {
        Reduction::Minimal => whole.minimise(false),
        Reduction::Deterministic => whole,
    };
    machine.ensure_states(whole.edges.len());
    for (state, edges) in whole.edges.iter().enumerate() {
        for (&(label, target), origin) in edges.iter().zip(&whole.origins[state]) {
            machine.add(
                LocalState(state as u32),
                labels.actions[label as usize],
                LocalState(target),
                gchor.node(*origin).origin,
            );
        }
    }
    Ok(machine)
}

/// The machines of all participants, in the order of first mention: the system that the g-choreography induces.
pub fn project_all(gchor: &Gchor, budget: &Budget) -> Result<Vec<Cfsm>, StopReason> {
    gchor
        .roles()
        .names()
        .iter()
        .map(|&role| project_gchor(gchor, role, Reduction::Minimal, budget))
        .collect()
}

/// Whether a participant does the same in two parts, and may be done with them after the same words.
pub(super) fn same_behaviour(
    gchor: &Gchor,
    parts: (NodeId, NodeId),
    role: Name,
    budget: &Budget,
) -> Result<bool, StopReason> {
    let roles = gchor.roles();
    let labels = Labels::new(gchor, role);
    let left = behaviour(gchor, parts.0, role, &roles, &labels, budget)?;
    let right = behaviour(gchor, parts.1, role, &roles, &labels, budget)?;
    Ok(left.minimise(true).same_as(&right.minimise(true)))
}

/// The actions of a participant, numbered in the order of first mention.
struct Labels {
    actions: Vec<LocalAction>,
    numbers: FxHashMap<LocalAction, u32>,
}

impl Labels {
    fn new(gchor: &Gchor, role: Name) -> Labels {
        let mut labels = Labels {
            actions: Vec::new(),
            numbers: FxHashMap::default(),
        };
        for interaction in gchor.interactions() {
            if let Some(action) = action(interaction, role) {
                let next = labels.actions.len() as u32;
                if *labels.numbers.entry(action).or_insert(next) == next {
                    labels.actions.push(action);
                }
            }
        }
        labels
    }
}

fn action(interaction: Interaction, role: Name) -> Option<LocalAction> {
    match role {
        _ if role == interaction.from => {
            Some(LocalAction::output(interaction.to, interaction.message))
        }
        _ if role == interaction.to => {
            Some(LocalAction::input(interaction.from, interaction.message))
        }
        _ => None,
    }
}

/// The behaviour of a participant in a part, without silent steps.
///
/// Recursion is as deep as forks nest in forks.
fn behaviour(
    gchor: &Gchor,
    root: NodeId,
    role: Name,
    roles: &Roles,
    labels: &Labels,
    budget: &Budget,
) -> Result<Deterministic, StopReason> {
    let mut automaton = Automaton::default();
    let (start, end) = (automaton.add_state(), automaton.add_state());
    let mut open = vec![(root, start, end)];
    while let Some((id, from, to)) = open.pop() {
        let edge = |label, target| Edge {
            label,
            target,
            origin: id,
        };
        if !roles.takes_part(role, id) {
            automaton.add_edge(from, edge(None, to));
            continue;
        }
        match gchor.form(id) {
            Form::Empty => automaton.add_edge(from, edge(None, to)),
            Form::Interaction(interaction) => {
                let label = action(*interaction, role)
                    .and_then(|action| labels.numbers.get(&action).copied());
                automaton.add_edge(from, edge(label, to));
            }
            Form::Sequence(parts) => {
                let mut at = from;
                for (position, &part) in parts.iter().enumerate() {
                    budget.spend()?;
                    let next = if position + 1 == parts.len() {
                        to
                    } else {
                        automaton.add_state()
                    };
                    open.push((part, at, next));
                    at = next;
                }
            }
            Form::Choice { branches, .. } => {
                open.extend(branches.iter().map(|&branch| (branch, from, to)));
            }
            Form::Repeat { body, .. } => {
                let head = automaton.add_state();
                automaton.add_edge(from, edge(None, head));
                automaton.add_edge(head, edge(None, to));
                // The body ends in a state of its own: two ways to come back must not become one in between.
                let back = automaton.add_state();
                automaton.add_edge(back, edge(None, head));
                open.push((*body, head, back));
            }
            Form::Fork(parts) => {
                let threads: Vec<Deterministic> = parts
                    .iter()
                    .filter(|&&part| roles.takes_part(role, part))
                    .map(|&part| {
                        let thread = behaviour(gchor, part, role, roles, labels, budget)?;
                        Ok(thread.minimise(true))
                    })
                    .collect::<Result<_, StopReason>>()?;
                Deterministic::interleave(&threads, &mut automaton, (from, to), id, budget)?;
            }
        }
    }
    automaton.determinise(start, end, budget)
}

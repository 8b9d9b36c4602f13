//! Random communicating machines.

use choros_base::Names;
use choros_model::cfsm::{Cfsm, LocalAction, LocalState, Transition};

use crate::Random;

/// How large, and how wild.
#[derive(Debug, Clone, Copy)]
pub struct MachineShape {
    /// Participants.
    pub machines: usize,
    /// States of each machine, at most.
    pub states: usize,
    /// Transitions of each machine, at most.
    pub transitions: usize,
    /// Message names.
    pub messages: usize,
    /// Whether transitions may lead back to earlier states.
    pub loops: bool,
}

/// Machines `A`, `B`, … over messages `a`, `b`, …; they know nothing of each other and mostly get stuck.
pub fn random_machines(shape: MachineShape, random: &mut Random, names: &mut Names) -> Vec<Cfsm> {
    let letter = |first: u8, at: usize| char::from(first + (at % 26) as u8).to_string();
    let participants: Vec<_> = (0..shape.machines)
        .map(|at| names.intern(&letter(b'A', at)))
        .collect();
    let messages: Vec<_> = (0..shape.messages)
        .map(|at| names.intern(&letter(b'a', at)))
        .collect();
    participants
        .iter()
        .enumerate()
        .map(|(own, &participant)| {
            let mut machine = Cfsm::new(participant);
            let states = 1 + random.below(shape.states);
            machine.ensure_states(states);
            for _ in 0..random.below(shape.transitions + 1) {
                let source = random.below(states);
                let target = if shape.loops {
                    random.below(states)
                } else if source + 1 == states {
                    continue;
                } else {
                    source + 1 + random.below(states - source - 1)
                };
                let partner = (own + 1 + random.below(shape.machines - 1)) % shape.machines;
                let (partner, message) = (participants[partner], *random.pick(&messages));
                let action = if random.percent(50) {
                    LocalAction::output(partner, message)
                } else {
                    LocalAction::input(partner, message)
                };
                machine.add(
                    LocalState(source as u32),
                    action,
                    LocalState(target as u32),
                    None,
                );
            }
            machine
        })
        .collect()
}

/// Machines in which every state only sends to one partner or only receives from one, and that are deterministic.
pub fn random_directed(shape: MachineShape, random: &mut Random, names: &mut Names) -> Vec<Cfsm> {
    let mut machines = random_machines(shape, random, names);
    for machine in &mut machines {
        for state in machine.states() {
            let mut kept: Vec<Transition> = Vec::new();
            for &one in machine.outgoing(state) {
                let fits = kept.first().is_none_or(|first| {
                    first.action.polarity == one.action.polarity
                        && first.action.partner == one.action.partner
                });
                if fits && kept.iter().all(|other| other.action != one.action) {
                    kept.push(one);
                }
            }
            machine.set_outgoing(state, kept);
        }
    }
    machines
}

/// Machines that follow one random protocol: each step is a message that some sends and another awaits, and branches
/// are decided by their sender with messages that differ.
///
/// They are safe by construction: everyone but sender and receiver of a choice does the same in all its branches.
pub fn random_protocol(shape: MachineShape, random: &mut Random, names: &mut Names) -> Vec<Cfsm> {
    let participants: Vec<_> = (0..shape.machines)
        .map(|at| names.intern(&char::from(b'A' + (at % 26) as u8).to_string()))
        .collect();
    let mut machines: Vec<Cfsm> = participants.iter().map(|&it| Cfsm::new(it)).collect();
    let mut at = vec![LocalState(0); shape.machines];
    for step in 0..shape.transitions {
        let from = random.below(shape.machines);
        let to = (from + 1 + random.below(shape.machines - 1)) % shape.machines;
        let branches = 1 + random.below(shape.messages);
        let (sent, received) = (machines[from].add_state(), machines[to].add_state());
        for branch in 0..branches {
            let message = names.intern(&format!("m{step}x{branch}"));
            let output = LocalAction::output(participants[to], message);
            machines[from].add(at[from], output, sent, None);
            let input = LocalAction::input(participants[from], message);
            machines[to].add(at[to], input, received, None);
        }
        at[from] = sent;
        at[to] = received;
    }
    machines
}

//! Machines of one conversation, and of several at the same time.
//!
//! One participant serves all sessions; every other one is there once for each, with a number after its name.
//! So a test of several sessions is a set of machines as any other, one for each partner in each session, and the
//! server has a channel to each of them: messages of different sessions never wait in one channel.

use choros_base::{Budget, Name, Names, StopReason};
use choros_model::cfsm::{Cfsm, LocalAction};
use rustc_hash::FxHashMap;

/// The machines of so many sessions that a participant serves; where none is named, each of them as one that serves.
pub fn sessions_of(
    machines: &[Cfsm],
    server: Option<Name>,
    count: u32,
    names: &mut Names,
    budget: &Budget,
) -> Result<Vec<Cfsm>, StopReason> {
    let participants: Vec<Name> = machines.iter().map(Cfsm::participant).collect();
    let mut found = Vec::new();
    for machine in machines {
        if server.is_none_or(|it| it == machine.participant()) {
            found.push(server_of(machine, count, names, &participants, budget)?);
            continue;
        }
        for session in 1..=count {
            let mut in_session = |it: Name| {
                if Some(it) == server {
                    it
                } else {
                    numbered(it, session, &participants, names)
                }
            };
            let mut copy = Cfsm::new(in_session(machine.participant()));
            copy.ensure_states(machine.state_count());
            copy.set_initial(machine.initial());
            for state in machine.states() {
                if let Some(label) = machine.label(state) {
                    copy.set_label(state, label);
                }
            }
            for (source, step) in machine.transitions() {
                let partner = in_session(step.action.partner);
                let action = LocalAction {
                    partner,
                    ..step.action
                };
                copy.add(source, action, step.target, step.origin);
            }
            found.push(copy);
        }
    }
    Ok(found)
}

/// The machine of a participant that does its part in so many sessions, which take turns.
fn server_of(
    machine: &Cfsm,
    count: u32,
    names: &mut Names,
    participants: &[Name],
    budget: &Budget,
) -> Result<Cfsm, StopReason> {
    let mut all = Cfsm::new(machine.participant());
    let first = vec![machine.initial(); count as usize];
    let mut known = FxHashMap::from_iter([(first.clone(), all.initial())]);
    let mut work = vec![first];
    while let Some(before) = work.pop() {
        budget.spend()?;
        let source = known[&before];
        for (place, &state) in before.iter().enumerate() {
            for step in machine.outgoing(state) {
                let mut after = before.clone();
                after[place] = step.target;
                let target = *known.entry(after.clone()).or_insert_with(|| {
                    work.push(after);
                    all.add_state()
                });
                let partner = numbered(step.action.partner, place as u32 + 1, participants, names);
                let action = LocalAction {
                    partner,
                    ..step.action
                };
                all.add(source, action, target, step.origin);
            }
        }
    }
    let mut states: Vec<(Vec<_>, _)> = known.into_iter().collect();
    states.sort_unstable_by_key(|&(_, state)| state);
    for (states, state) in states {
        let each = states.iter().map(|&it| machine.state_text(it, names));
        let each: Vec<String> = each.collect();
        let label = names.intern(&each.join("."));
        all.set_label(state, label);
    }
    Ok(all)
}

/// A participant in a session: a name that no one in one session has.
fn numbered(name: Name, session: u32, participants: &[Name], names: &mut Names) -> Name {
    let mut text = format!("{}_{session}", names.text(name));
    loop {
        let new = names.intern(&text);
        if !participants.contains(&new) {
            return new;
        }
        text.push('_');
    }
}

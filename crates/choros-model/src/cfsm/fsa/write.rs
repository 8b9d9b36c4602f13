//! Writing `.fsa`.

use choros_base::{Name, Names};

use crate::cfsm::{Cfsm, LocalState, Polarity};

/// The machines as text, partners by number.
pub fn write_fsa(machines: &[Cfsm], names: &Names) -> String {
    let order: Vec<Name> = machines.iter().map(Cfsm::participant).collect();
    let mut out = String::new();
    for (number, machine) in machines.iter().enumerate() {
        if number > 0 {
            out.push('\n');
        }
        let plain = !labels_serve(machine, names);
        let state = |state: LocalState| {
            if plain {
                state.0.to_string()
            } else {
                machine.state_text(state, names)
            }
        };
        out.push_str(&format!(
            ".outputs {}\n.state graph\n",
            names.text(machine.participant())
        ));
        let lines = in_order(machine)
            .into_iter()
            .flat_map(|source| machine.outgoing(source).iter().map(move |it| (source, it)));
        for (source, transition) in lines {
            let action = transition.action;
            let partner = match order.iter().position(|&name| name == action.partner) {
                Some(number) => number.to_string(),
                None => names.text(action.partner).to_owned(),
            };
            let mark = match action.polarity {
                Polarity::Output => '!',
                Polarity::Input => '?',
            };
            out.push_str(&format!(
                "{} {partner} {mark} {} {}\n",
                state(source),
                names.text(action.message),
                state(transition.target)
            ));
        }
        out.push_str(&format!(".marking {}\n.end\n", state(machine.initial())));
    }
    out
}

/// The states in the order in which their lines name them, so that what is written and read again is written the same:
/// the first one, what it leads to, and so on; then the next that was not named.
fn in_order(machine: &Cfsm) -> Vec<LocalState> {
    let mut named = vec![false; machine.state_count()];
    let mut order = Vec::with_capacity(machine.state_count());
    for first in machine.states() {
        if std::mem::replace(&mut named[first.index()], true) {
            continue;
        }
        // A state from which nothing leads is not named here.
        if machine.is_final(first) {
            continue;
        }
        let mut next = order.len();
        order.push(first);
        while let Some(&source) = order.get(next) {
            next += 1;
            for transition in machine.outgoing(source) {
                let target = transition.target;
                if !std::mem::replace(&mut named[target.index()], true) {
                    order.push(target);
                }
            }
        }
    }
    order
}

/// Whether the names of the states are single words, and no two the same.
fn labels_serve(machine: &Cfsm, names: &Names) -> bool {
    let mut seen = rustc_hash::FxHashSet::default();
    machine.states().all(|state| {
        let text = machine.state_text(state, names);
        !text.is_empty()
            && !text.contains(|letter: char| letter.is_whitespace() || "{}".contains(letter))
            && !text.starts_with(['.', '#', '-'])
            && seen.insert(text)
    })
}

//! The local session type of each state of a machine.
//!
//! Section 4.2 and figure 4.1 of the thesis: a state without transitions is `Eps`, one with a single transition is
//! `Send` or `Recv`, and one with several is a right-nested `Choose` or `Offer` whose alternatives stand in the order
//! of their messages.
//!
//! A state that can both send and receive has no such type.
//! It comes from parallel composition, where the receptions are still possible after the outputs, so its type has the
//! outputs only: an implementation of that type sends first, which the model allows.
//! (The thesis' generator looks at the first transition only, and would then send what is to be received.)

use choros_base::{Name, Names};
use choros_model::cfsm::{Cfsm, LocalAction, LocalState, Transition};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StateType {
    pub state: LocalState,
    /// What is possible, either only outputs or only inputs; nothing at the end.
    pub alternatives: Vec<Alternative>,
    /// Whether the type refers to one that comes later, as in loops.
    pub refers_ahead: bool,
    /// Whether the state can receive too, which the type leaves for later.
    pub mixed: bool,
}

/// One message and what follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Alternative {
    pub action: LocalAction,
    pub target: LocalState,
    /// Whether the target's type comes later than this one.
    pub ahead: bool,
}

impl StateType {
    /// Whether the state sends.
    pub(super) fn sends(&self) -> bool {
        self.alternatives
            .first()
            .is_some_and(|first| first.action.is_output())
    }
}

/// The types of all states that can be reached, each after those it refers to where that is possible.
pub(super) fn state_types(machine: &Cfsm, names: &Names) -> Vec<StateType> {
    let mut types: Vec<StateType> = Vec::new();
    let mut place: Vec<Option<usize>> = vec![None; machine.state_count()];
    let mut seen = vec![false; machine.state_count()];
    // Post-order without recursion: a state is met twice, before and after its successors.
    let mut pending = vec![(machine.initial(), false)];
    while let Some((state, after)) = pending.pop() {
        let at = state.index();
        if after {
            let chosen = chosen(machine, state, names);
            let alternatives: Vec<Alternative> = chosen
                .iter()
                .map(|transition| Alternative {
                    action: transition.action,
                    target: transition.target,
                    ahead: place[transition.target.index()].is_none(),
                })
                .collect();
            place[at] = Some(types.len());
            types.push(StateType {
                state,
                refers_ahead: alternatives.iter().any(|it| it.ahead),
                mixed: machine.is_mixed(state),
                alternatives,
            });
        } else if !seen[at] {
            seen[at] = true;
            pending.push((state, true));
            let targets = chosen(machine, state, names);
            pending.extend(targets.iter().rev().map(|it| (it.target, false)));
        }
    }
    types
}

/// What the type of a state has: in a mixed state the outputs only.
fn chosen(machine: &Cfsm, state: LocalState, names: &Names) -> Vec<Transition> {
    let mut chosen: Vec<Transition> = machine
        .outgoing(state)
        .iter()
        .filter(|it| it.action.is_output() || !machine.is_mixed(state))
        .copied()
        .collect();
    sort(&mut chosen, names);
    chosen
}

/// In the order of messages, then of partners.
pub(super) fn sort(transitions: &mut [Transition], names: &Names) {
    let key = |name: Name| names.text(name).to_owned();
    transitions.sort_by_key(|it| {
        (
            key(it.action.message),
            key(it.action.partner),
            !it.action.is_output(),
            it.target,
        )
    });
}

#[cfg(test)]
mod tests {
    use choros_base::Names;
    use choros_model::cfsm::{Cfsm, LocalAction, LocalState};

    use super::state_types;

    fn machine(lines: &[(u32, char, &str, u32)], names: &mut Names) -> Cfsm {
        let partner = names.intern("B");
        let mut machine = Cfsm::new(names.intern("A"));
        for &(source, sign, message, target) in lines {
            machine.ensure_states(source.max(target) as usize + 1);
            let message = names.intern(message);
            let action = match sign {
                '!' => LocalAction::output(partner, message),
                _ => LocalAction::input(partner, message),
            };
            machine.add(LocalState(source), action, LocalState(target), None);
        }
        machine
    }

    fn shown(machine: &Cfsm, names: &Names) -> Vec<String> {
        state_types(machine, names)
            .iter()
            .map(|it| {
                let alternatives: Vec<String> = it
                    .alternatives
                    .iter()
                    .map(|one| {
                        let ahead = if one.ahead { "^" } else { "" };
                        format!("{}{ahead}{}", names.text(one.action.message), one.target.0)
                    })
                    .collect();
                format!("{}={}", it.state.0, alternatives.join("|"))
            })
            .collect()
    }

    #[test]
    fn alternatives_are_in_the_order_of_their_messages() {
        let mut names = Names::new();
        let machine = machine(
            &[(0, '?', "n", 2), (2, '!', "yes", 1), (2, '!', "no", 1)],
            &mut names,
        );
        assert_eq!(shown(&machine, &names), ["1=", "2=no1|yes1", "0=n2"]);
    }

    #[test]
    fn a_loop_refers_ahead_once() {
        let mut names = Names::new();
        let machine = machine(
            &[(0, '!', "a", 1), (1, '?', "b", 0), (1, '?', "c", 2)],
            &mut names,
        );
        assert_eq!(shown(&machine, &names), ["2=", "1=b^0|c2", "0=a1"]);
        let types = state_types(&machine, &names);
        assert!(types[1].refers_ahead && !types[2].refers_ahead);
    }

    #[test]
    fn a_mixed_state_sends_first() {
        let mut names = Names::new();
        let lines = [
            (0, '?', "a", 1),
            (0, '!', "b", 2),
            (1, '!', "b", 3),
            (2, '?', "a", 3),
        ];
        let machine = machine(&lines, &mut names);
        assert_eq!(shown(&machine, &names), ["3=", "2=a3", "0=b2"]);
        assert!(state_types(&machine, &names)[2].mixed);
    }
}

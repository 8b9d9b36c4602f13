//! Loops of machines.
//!
//! A machine that goes round has no end, or reaches it only when someone decides to leave; and a test machine decides
//! every state once and for all, so it would always stay or always leave.
//! There are two ways out.
//!
//! *Up to n*: the machine is unfolded so that it goes round at most `n` times, and every decision to leave is kept.
//! A transition that closes a cycle leads into the next copy of the machine, and the last copy has none; states that
//! can then no longer reach an end of the machine are left out, so that the decider leaves in time, and a machine that is
//! told so knows.
//! A machine that has no end at all keeps them, and ends where it was cut.
//!
//! *Fair*: decisions on a cycle are not split, and a run that goes round forever does not count as long as success
//! stays within reach.

use choros_base::{Budget, Names, StopReason};
use choros_model::cfsm::{Cfsm, LocalState, Transition};

/// What is done about loops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loops {
    /// There must be none.
    None,
    /// Machines go round at most this many times.
    UpTo(u32),
    /// What stays possible happens in the end.
    Fair,
}

/// For each state, whether a run can come back to it.
pub(crate) fn on_cycles(machine: &Cfsm) -> Vec<bool> {
    let components = components(machine);
    let mut sizes = vec![0_usize; machine.state_count()];
    for &component in &components {
        sizes[component as usize] += 1;
    }
    machine
        .states()
        .map(|state| {
            let own = components[state.index()];
            sizes[own as usize] > 1
                || machine
                    .outgoing(state)
                    .iter()
                    .any(|one| one.target == state)
        })
        .collect()
}

/// Whether a run of the machine can go round.
pub fn has_loops(machine: &Cfsm) -> bool {
    let reachable = machine.reachable();
    let cycles = on_cycles(machine);
    reachable
        .iter()
        .zip(&cycles)
        .any(|(&reached, &cycle)| reached && cycle)
}

/// Whether an end can be reached from every state that can be reached.
pub fn can_always_end(machine: &Cfsm) -> bool {
    let ends = reaching(machine, |state| machine.is_final(state));
    let reachable = machine.reachable();
    reachable
        .iter()
        .zip(&ends)
        .all(|(&reached, &end)| !reached || end)
}

/// The machine that goes round at most `times` times; the budget is spent by the state.
///
/// States are named after those of the machine, with a prime for each round.
pub fn unfold_machine(
    machine: &Cfsm,
    times: u32,
    names: &mut Names,
    budget: &Budget,
) -> Result<Cfsm, StopReason> {
    if !has_loops(machine) {
        return Ok(machine.clone());
    }
    let closing = closing_transitions(machine);
    let states = machine.state_count();
    let mut unfolded = Cfsm::new(machine.participant());
    for round in 0..=times as usize {
        for state in machine.states() {
            budget.spend()?;
            let copy = LocalState((round * states) as u32 + state.0);
            unfolded.ensure_states(copy.index() + 1);
            let text = machine.state_text(state, names) + &"'".repeat(round);
            unfolded.set_label(copy, names.intern(&text));
        }
    }
    for round in 0..=times {
        for state in machine.states() {
            let base = round * states as u32;
            let own = machine.outgoing(state).iter().enumerate();
            let kept = own.filter_map(|(at, one)| {
                let closes = closing[state.index()][at];
                let base = match closes {
                    true if round == times => return None,
                    true => base + states as u32,
                    false => base,
                };
                Some(Transition {
                    target: LocalState(base + one.target.0),
                    ..*one
                })
            });
            unfolded.set_outgoing(LocalState(base + state.0), kept.collect());
        }
    }
    unfolded.set_initial(machine.initial());
    let ends = reaching(&unfolded, |state| {
        machine.is_final(LocalState(state.0 % states as u32))
    });
    if ends[unfolded.initial().index()] {
        for state in unfolded.states() {
            let own = unfolded.outgoing(state).iter().copied();
            let kept = own.filter(|one| ends[one.target.index()]).collect();
            unfolded.set_outgoing(state, kept);
        }
    }
    Ok(unfolded.trimmed(names).0)
}

/// For each state, whether some state that is wanted can be reached from it.
fn reaching(machine: &Cfsm, wanted: impl Fn(LocalState) -> bool) -> Vec<bool> {
    let mut before: Vec<Vec<LocalState>> = vec![Vec::new(); machine.state_count()];
    for (source, transition) in machine.transitions() {
        before[transition.target.index()].push(source);
    }
    let mut reaches: Vec<bool> = machine.states().map(&wanted).collect();
    let mut open: Vec<LocalState> = machine.states().filter(|&it| wanted(it)).collect();
    while let Some(state) = open.pop() {
        for &earlier in &before[state.index()] {
            if !std::mem::replace(&mut reaches[earlier.index()], true) {
                open.push(earlier);
            }
        }
    }
    reaches
}

/// For each transition, whether it leads back to a state that the search from the initial state is still in.
fn closing_transitions(machine: &Cfsm) -> Vec<Vec<bool>> {
    let mut closing: Vec<Vec<bool>> = machine
        .states()
        .map(|state| vec![false; machine.outgoing(state).len()])
        .collect();
    // 0 unseen, 1 on the stack, 2 done.
    let mut colours = vec![0_u8; machine.state_count()];
    let mut stack = vec![(machine.initial(), 0)];
    colours[machine.initial().index()] = 1;
    while let Some(top) = stack.last_mut() {
        let (state, at) = *top;
        top.1 += 1;
        let Some(transition) = machine.outgoing(state).get(at) else {
            colours[state.index()] = 2;
            stack.pop();
            continue;
        };
        let target = transition.target;
        match colours[target.index()] {
            0 => {
                colours[target.index()] = 1;
                stack.push((target, 0));
            }
            1 => closing[state.index()][at] = true,
            _ => {}
        }
    }
    closing
}

/// For each state the number of its strongly connected component (Kosaraju's two searches, with stacks of their own).
fn components(machine: &Cfsm) -> Vec<u32> {
    let count = machine.state_count();
    let mut before: Vec<Vec<LocalState>> = vec![Vec::new(); count];
    for (source, transition) in machine.transitions() {
        before[transition.target.index()].push(source);
    }
    let mut finished = Vec::with_capacity(count);
    let mut seen = vec![false; count];
    for root in machine.states() {
        if std::mem::replace(&mut seen[root.index()], true) {
            continue;
        }
        let mut stack = vec![(root, 0)];
        while let Some(top) = stack.last_mut() {
            let (state, at) = *top;
            top.1 += 1;
            match machine.outgoing(state).get(at) {
                None => {
                    finished.push(state);
                    stack.pop();
                }
                Some(transition) => {
                    let target = transition.target;
                    if !std::mem::replace(&mut seen[target.index()], true) {
                        stack.push((target, 0));
                    }
                }
            }
        }
    }
    let mut component = vec![u32::MAX; count];
    let mut next = 0;
    for &root in finished.iter().rev() {
        if component[root.index()] != u32::MAX {
            continue;
        }
        let mut open = vec![root];
        component[root.index()] = next;
        while let Some(state) = open.pop() {
            for &earlier in &before[state.index()] {
                if component[earlier.index()] == u32::MAX {
                    component[earlier.index()] = next;
                    open.push(earlier);
                }
            }
        }
        next += 1;
    }
    component
}

#[cfg(test)]
mod tests {
    use choros_model::cfsm::LocalAction;

    use super::*;

    /// A decides: again, which B answers with data, or stop.
    fn decider(names: &mut Names) -> Cfsm {
        let (a, b) = (names.intern("A"), names.intern("B"));
        let [again, data, stop] = ["again", "data", "stop"].map(|it| names.intern(it));
        let mut machine = Cfsm::new(a);
        machine.ensure_states(3);
        let [q0, q1, q2] = [0, 1, 2].map(LocalState);
        machine.add(q0, LocalAction::output(b, again), q1, None);
        machine.add(q0, LocalAction::output(b, stop), q2, None);
        machine.add(q1, LocalAction::input(b, data), q0, None);
        machine
    }

    #[test]
    fn unfolding_keeps_every_decision_to_leave() {
        let mut names = Names::new();
        let machine = decider(&mut names);
        assert!(has_loops(&machine) && can_always_end(&machine));
        let unfolded = unfold_machine(&machine, 2, &mut names, &Budget::unlimited()).unwrap();
        assert!(!has_loops(&unfolded));
        // Three copies of 0, of which the last only leaves; two of 1; three ends.
        assert_eq!(unfolded.state_count(), 8);
        assert_eq!(unfolded.transition_count(), 7);
        let splits = crate::split(&unfolded, &Budget::unlimited()).unwrap();
        assert_eq!(splits.len(), 4);
    }

    #[test]
    fn a_machine_without_end_is_cut() {
        let mut names = Names::new();
        let (a, b, m) = (names.intern("A"), names.intern("B"), names.intern("m"));
        let mut machine = Cfsm::new(a);
        machine.add(
            LocalState(0),
            LocalAction::output(b, m),
            LocalState(0),
            None,
        );
        assert!(has_loops(&machine) && !can_always_end(&machine));
        let unfolded = unfold_machine(&machine, 3, &mut names, &Budget::unlimited()).unwrap();
        assert_eq!(unfolded.state_count(), 4);
        assert_eq!(unfolded.transition_count(), 3);
    }

    #[test]
    fn a_machine_without_loops_stays_as_it_is() {
        let mut names = Names::new();
        let (a, b, m) = (names.intern("A"), names.intern("B"), names.intern("m"));
        let mut machine = Cfsm::new(a);
        machine.ensure_states(2);
        machine.add(
            LocalState(0),
            LocalAction::output(b, m),
            LocalState(1),
            None,
        );
        let unfolded = unfold_machine(&machine, 3, &mut names, &Budget::unlimited()).unwrap();
        assert_eq!(unfolded, machine);
    }
}

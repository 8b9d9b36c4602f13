//! Whether a machine with counters can come to a bad state, whatever number it starts with.
//!
//! More in the counters never hinders a step, so what can come to a bad state is upward closed, and has finitely many
//! least elements (Dickson's lemma).
//! They are found from the bad states backwards (P. A. Abdulla, K. Čerāns, B. Jonsson, Y.-K. Tsay, *General
//! decidability theorems for infinite-state systems*, 1996).
//! What is not above any of them is an invariant, which `invariant.rs` checks by itself.

use choros_base::{Budget, StopReason};

use crate::counters::{CounterMachine, CounterStep, Least};
use crate::invariant::is_invariant;

/// What is known of the bad states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Coverage {
    /// No number of sessions comes to one; what is above none of these is never left.
    Safe(Vec<Least>),
    /// The machine comes to one, which does more than sessions may.
    Reached,
}

/// Looks for a number of sessions with which the machine comes to a bad state.
pub fn coverage(machine: &CounterMachine, budget: &Budget) -> Result<Coverage, StopReason> {
    let width = machine.places + machine.initial.len();
    let mut basis: Vec<Least> = Vec::new();
    let mut work: Vec<Least> = machine
        .bad
        .iter()
        .map(|&control| Least {
            control,
            counters: vec![0; width],
        })
        .collect();
    while let Some(next) = work.pop() {
        budget.spend()?;
        if basis.iter().any(|it| it.covers(&next)) {
            continue;
        }
        if is_possible_at_first(&next, machine) {
            return Ok(Coverage::Reached);
        }
        basis.retain(|it| !next.covers(it));
        for step in machine.steps.iter().filter(|it| it.to == next.control) {
            work.push(before(step, &next));
        }
        basis.push(next);
    }
    basis.sort_by(|a, b| (a.control, &a.counters).cmp(&(b.control, &b.counters)));
    // Both would be mistakes of ours.
    if is_invariant(machine, &basis) {
        Ok(Coverage::Safe(basis))
    } else {
        Ok(Coverage::Reached)
    }
}

/// The least from which a step leads above something.
fn before(step: &CounterStep, after: &Least) -> Least {
    let each = step.takes.iter().zip(&step.gives).zip(&after.counters);
    Least {
        control: step.from,
        counters: each
            .map(|((takes, gives), wanted)| takes + wanted.saturating_sub(*gives))
            .collect(),
    }
}

/// Whether the machine may start above it, with enough sessions.
fn is_possible_at_first(least: &Least, machine: &CounterMachine) -> bool {
    let (places, shared) = least.counters.split_at(machine.places);
    machine.start.contains(&least.control)
        && places
            .iter()
            .enumerate()
            .all(|(place, &count)| count == 0 || place == machine.entry)
        && shared
            .iter()
            .zip(&machine.initial)
            .all(|(wanted, there)| wanted <= there)
}

//! Whether what is above none of some least elements is an invariant without bad states.
//!
//! This is the certificate of *safe for any number of sessions*, and its check knows nothing of the search: every step
//! into the forbidden region starts in it, no start is in it, and all bad states are.

use crate::counters::{CounterMachine, Least};

/// Checks it, step by step.
pub fn is_invariant(machine: &CounterMachine, forbidden: &[Least]) -> bool {
    let is_forbidden = |control: usize, counters: &[u64]| {
        forbidden.iter().any(|it| {
            let mut each = it.counters.iter().zip(counters);
            it.control == control && each.all(|(least, there)| there >= least)
        })
    };
    let width = machine.places + machine.initial.len();
    if !machine
        .bad
        .iter()
        .all(|&it| is_forbidden(it, &vec![0; width]))
    {
        return false;
    }
    // As many sessions as any of the elements could ask for.
    let most = forbidden.iter().flat_map(|it| &it.counters).max();
    let mut first = vec![0; width];
    first[machine.entry] = most.copied().unwrap_or(0);
    first[machine.places..].copy_from_slice(&machine.initial);
    if machine.start.iter().any(|&it| is_forbidden(it, &first)) {
        return false;
    }
    // A step leads above an element iff it starts with at least what it takes, and what the element asks for beyond
    // what it gives: the least such start must be forbidden already.
    machine.steps.iter().all(|step| {
        let targets = forbidden.iter().filter(|it| it.control == step.to);
        targets.into_iter().all(|target| {
            let start: Vec<u64> = (0..width)
                .map(|place| {
                    let beyond = target.counters[place].max(step.gives[place]) - step.gives[place];
                    step.takes[place] + beyond
                })
                .collect();
            is_forbidden(step.from, &start)
        })
    })
}

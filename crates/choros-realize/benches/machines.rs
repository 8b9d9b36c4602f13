//! How fast the configurations of machines are found.
//!
//! Pairs of machines that have nothing to do with each other: `A` sends two messages to `B`, which answers when it has
//! both, and again; 7 configurations for each pair, so 7ⁿ, and 8n/7 steps from each.
//! The floor is the same system written out by hand: a configuration is one number, and a set of the standard library's
//! kind says which were seen; it knows no queue, no run to a configuration, and finds nothing wrong.
//! *Survey* looks for what is wrong in each configuration, *safety* also for who waits forever, which is what
//! `choros explore` and `choros check` ask.
//! Prints a table; nothing is asserted.

use std::time::{Duration, Instant};

use choros_base::Budget;
use choros_data::Terms;
use choros_model::cfsm::{Cfsm, Discipline, LocalAction, LocalState, Reduction, System, survey};
use choros_realize::safety;
use rustc_hash::FxHashSet;

#[expect(clippy::print_stdout, reason = "a benchmark prints its table")]
fn line(text: &str) {
    println!("{text}");
}

fn main() {
    line(&format!(
        "{:<6} {:>10} {:>11} {:>12} {:>12} {:>12} {:>9} {:>9} {:>7}",
        "pairs",
        "states",
        "transitions",
        "floor/s",
        "survey/s",
        "safety/s",
        "of floor",
        "of survey",
        "bytes"
    ));
    for pairs in [4, 5, 6, 7] {
        row(pairs);
    }
}

fn row(pairs: usize) {
    let (by_hand, floor) = timed(|| floor(pairs));
    let mut terms = Terms::new();
    let machines = machines(pairs, &mut terms);
    let mut system = System::new(&machines, Discipline::fifo(5), &terms);
    let (surveyed, survey_time) = timed(|| survey(&mut system, &Budget::unlimited()));
    let bytes = (system.bytes() + surveyed.bytes()) as f64 / surveyed.states as f64;
    let mut system = System::new(&machines, Discipline::fifo(5), &terms);
    let (safe, safety_time) = timed(|| safety(&mut system, Reduction::None, &Budget::unlimited()));
    let states = safe.found.states;
    let holds = safe.proof.is_ok() && by_hand == states;
    let rate = |time: Duration| states as f64 / time.as_secs_f64();
    line(&format!(
        "{pairs:<6} {states:>10} {:>11} {:>12.0} {:>12.0} {:>12.0} {:>9.2} {:>9.2} {bytes:>7.1}{}",
        safe.found.transitions,
        rate(floor),
        rate(survey_time),
        rate(safety_time),
        rate(safety_time) / rate(floor),
        rate(safety_time) / rate(survey_time),
        if holds { "" } else { "  not the same" }
    ));
}

fn timed<T>(run: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let found = run();
    (found, start.elapsed())
}

/// The places of a pair, three bits each; where each of them leads.
const NEXT: [&[u64]; 7] = [&[1], &[2, 3], &[4], &[4], &[5], &[6], &[0]];

fn floor(pairs: usize) -> usize {
    let mut seen: FxHashSet<u64> = FxHashSet::default();
    let mut open = vec![0_u64];
    seen.insert(0);
    let mut at = 0;
    while at < open.len() {
        let state = open[at];
        at += 1;
        for pair in 0..pairs {
            let shift = 3 * pair;
            let own = (state >> shift) & 7;
            for &next in NEXT[own as usize] {
                let target = state & !(7 << shift) | next << shift;
                if seen.insert(target) {
                    open.push(target);
                }
            }
        }
    }
    seen.len()
}

fn machines(pairs: usize, terms: &mut Terms) -> Vec<Cfsm> {
    let [a, b, c] = ["a", "b", "c"].map(|it| terms.names.intern(it));
    let mut all = Vec::new();
    for at in 0..pairs {
        let left = terms.names.intern(&format!("A{at}"));
        let right = terms.names.intern(&format!("B{at}"));
        let steps = [
            [
                LocalAction::output(right, a),
                LocalAction::output(right, b),
                LocalAction::input(right, c),
            ],
            [
                LocalAction::input(left, a),
                LocalAction::input(left, b),
                LocalAction::output(left, c),
            ],
        ];
        for (name, steps) in [left, right].into_iter().zip(steps) {
            let mut machine = Cfsm::new(name);
            machine.ensure_states(3);
            for (from, step) in steps.into_iter().enumerate() {
                let to = (from as u32 + 1) % 3;
                machine.add(LocalState(from as u32), step, LocalState(to), None);
            }
            all.push(machine);
        }
    }
    all
}

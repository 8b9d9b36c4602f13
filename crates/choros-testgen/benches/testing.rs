//! How long tests take, and how systems of machines grow.
//!
//! First the campaign and the mutation analysis of the automated teller machine, for which Coto's thesis reports about
//! 1.26 s (projection, generation, transition systems and compliance of 19 tests) on a laptop of 2015.
//! Then three families of systems: rings, stars, and sessions side by side; the last has more than a million
//! configurations.
//! Prints tables; nothing is asserted.

use std::time::{Duration, Instant};

use choros_base::{Budget, SourceMap};
use choros_data::Terms;
use choros_model::cfsm::{
    Cfsm, Discipline, LocalAction, LocalState, Reduction, System, survey, survey_with,
};
use choros_realize::gchor::project_all;
use choros_testgen::{
    Compliance, Fairness, Generation, MutantResult, Operator, Oracle, Splitting, TestSuite,
    WatchedChannels, comply, generate, judge, mutants,
};

#[expect(clippy::print_stdout, reason = "a benchmark prints its table")]
fn line(text: String) {
    println!("{text}");
}

const ATM: &str = include_str!("../../../examples/atm.gc");

fn main() {
    campaign();
    families();
}

/// The best of several runs: the machine may be busy.
fn best<T>(runs: usize, mut run: impl FnMut() -> T) -> (T, Duration) {
    let mut fastest = Duration::MAX;
    let mut last = None;
    for _ in 0..runs {
        let start = Instant::now();
        last = Some(run());
        fastest = fastest.min(start.elapsed());
    }
    match last {
        Some(last) => (last, fastest),
        None => unreachable!("there is at least one run"),
    }
}

fn milliseconds(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1000.0)
}

fn read(terms: &mut Terms) -> Vec<Cfsm> {
    let mut sources = SourceMap::new();
    let file = sources.add("atm.gc", ATM);
    let (gchor, _) = choros_lang::gchor::read(file, ATM, &mut terms.names);
    match project_all(&gchor, &Budget::unlimited()) {
        Ok(machines) => machines,
        Err(_) => unreachable!("the budget has no end"),
    }
}

fn suite(machines: &[Cfsm], terms: &mut Terms) -> TestSuite {
    let generation = Generation {
        roles: Vec::new(),
        splitting: Splitting::Once,
        oracles: vec![Oracle::FinalStates],
    };
    match generate(
        machines,
        &generation,
        &mut terms.names,
        &Budget::unlimited(),
    ) {
        Ok(suite) => suite,
        Err(_) => unreachable!("the budget has no end"),
    }
}

fn campaign() {
    let ((tests, passed), time) = best(20, || {
        let mut terms = Terms::new();
        let machines = read(&mut terms);
        let suite = suite(&machines, &mut terms);
        let budget = Budget::unlimited();
        let mut passed = 0;
        for test in &suite.tests {
            let Some(own) = suite.machine(test.under_test) else {
                continue;
            };
            let players = test.machines.iter().map(|it| &it.machine);
            let all = std::iter::once(own).chain(players);
            let mut system = System::new(all, Discipline::fifo(5), &terms);
            let found = survey(&mut system, &budget);
            let answer = comply(
                own,
                test,
                Discipline::fifo(5),
                &WatchedChannels::All,
                Fairness::None,
                &terms,
                &budget,
            );
            let passes = matches!(answer, Compliance::Passes(_));
            passed += usize::from(passes && found.unsafe_count() == 0);
        }
        (suite.tests.len(), passed)
    });
    line("automated teller machine".to_owned());
    line(format!(
        "  campaign: projected, {tests} tests made, explored and run, {passed} pass: {}",
        milliseconds(time)
    ));
    let ((all, killed), time) = best(5, || {
        let mut terms = Terms::new();
        let machines = read(&mut terms);
        let suite = suite(&machines, &mut terms);
        let (mut all, mut killed) = (0, 0);
        for machine in &machines {
            let tests: Vec<_> = suite.tests_of(machine.participant()).collect();
            for mutant in mutants(machine, &Operator::TABLE, &mut terms.names) {
                let judged = judge(
                    machine,
                    mutant,
                    &tests,
                    (Discipline::fifo(5), &WatchedChannels::All),
                    Fairness::None,
                    &terms,
                    &Budget::unlimited(),
                );
                all += 1;
                killed += usize::from(matches!(judged.fate, MutantResult::Killed { .. }));
            }
        }
        (all, killed)
    });
    line(format!(
        "  mutation: {all} mutants, {killed} killed: {}",
        milliseconds(time)
    ));
}

fn families() {
    line(format!(
        "\n{:<22} {:>4} {:>10} {:>11} {:>10} {:>12} {:>8} {:>10}",
        "family", "n", "states", "transitions", "time", "states/s", "bytes", "reduced"
    ));
    for size in [4, 6, 8, 10] {
        row("ring", size, ring);
    }
    for size in [4, 6, 8, 10] {
        row("star", size, star);
    }
    for size in [3, 5, 7, 9] {
        row("parallel sessions", size, sessions);
    }
}

/// Explores one member of a family, in full and reduced.
fn row(family: &str, size: usize, make: fn(usize, &mut Terms) -> Vec<Cfsm>) {
    let mut terms = Terms::new();
    let machines = make(size, &mut terms);
    let mut system = System::new(&machines, Discipline::fifo(2), &terms);
    let start = Instant::now();
    let found = survey(&mut system, &Budget::unlimited());
    let time = start.elapsed();
    let per_state = (system.bytes() + found.bytes()) as f64 / found.states as f64;
    let reduced = survey_with(&mut system, Reduction::Persistent, &Budget::unlimited());
    line(format!(
        "{family:<22} {size:>4} {:>10} {:>11} {:>10} {:>12.0} {per_state:>8.1} {:>10}",
        found.states,
        found.transitions,
        milliseconds(time),
        found.states as f64 / time.as_secs_f64(),
        reduced.states
    ));
}

/// Everyone sends to the next and then receives from the one before, twice.
fn ring(size: usize, terms: &mut Terms) -> Vec<Cfsm> {
    let names: Vec<_> = (0..size)
        .map(|at| terms.names.intern(&format!("P{at}")))
        .collect();
    let token = terms.names.intern("token");
    (0..size)
        .map(|at| {
            let mut machine = Cfsm::new(names[at]);
            machine.ensure_states(5);
            for round in 0..2 {
                let sent = LocalAction::output(names[(at + 1) % size], token);
                let got = LocalAction::input(names[(at + size - 1) % size], token);
                machine.add(LocalState(2 * round), sent, LocalState(2 * round + 1), None);
                machine.add(
                    LocalState(2 * round + 1),
                    got,
                    LocalState(2 * round + 2),
                    None,
                );
            }
            machine
        })
        .collect()
}

/// A centre asks all others, one after the other, and then takes their answers in the same order.
fn star(size: usize, terms: &mut Terms) -> Vec<Cfsm> {
    let centre = terms.names.intern("Centre");
    let names: Vec<_> = (1..size)
        .map(|at| terms.names.intern(&format!("P{at}")))
        .collect();
    let (ask, answer) = (terms.names.intern("ask"), terms.names.intern("answer"));
    let mut hub = Cfsm::new(centre);
    let last = names.len() as u32;
    hub.ensure_states(2 * names.len() + 1);
    for (at, &name) in names.iter().enumerate() {
        let at = at as u32;
        hub.add(
            LocalState(at),
            LocalAction::output(name, ask),
            LocalState(at + 1),
            None,
        );
        let (from, to) = (LocalState(last + at), LocalState(last + at + 1));
        hub.add(from, LocalAction::input(name, answer), to, None);
    }
    let mut machines = vec![hub];
    for &name in &names {
        let mut leaf = Cfsm::new(name);
        leaf.ensure_states(3);
        leaf.add(
            LocalState(0),
            LocalAction::input(centre, ask),
            LocalState(1),
            None,
        );
        leaf.add(
            LocalState(1),
            LocalAction::output(centre, answer),
            LocalState(2),
            None,
        );
        machines.push(leaf);
    }
    machines
}

/// Pairs of client and server that have nothing to do with each other: 5 configurations each, so 5ⁿ.
fn sessions(size: usize, terms: &mut Terms) -> Vec<Cfsm> {
    let (ask, answer) = (terms.names.intern("ask"), terms.names.intern("answer"));
    (0..size)
        .flat_map(|at| {
            let client = terms.names.intern(&format!("C{at}"));
            let server = terms.names.intern(&format!("S{at}"));
            let mut one = Cfsm::new(client);
            one.ensure_states(3);
            one.add(
                LocalState(0),
                LocalAction::output(server, ask),
                LocalState(1),
                None,
            );
            one.add(
                LocalState(1),
                LocalAction::input(server, answer),
                LocalState(2),
                None,
            );
            let mut other = Cfsm::new(server);
            other.ensure_states(3);
            other.add(
                LocalState(0),
                LocalAction::input(client, ask),
                LocalState(1),
                None,
            );
            other.add(
                LocalState(1),
                LocalAction::output(client, answer),
                LocalState(2),
                None,
            );
            [one, other]
        })
        .collect()
}

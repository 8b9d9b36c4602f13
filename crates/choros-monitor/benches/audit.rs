//! How the cost of an audit grows with the length of logs (Figure 4.7 of Nguyen's thesis: at most 139 ms for 20,000
//! messages of two services on the machine of 2012, without the 14.3 s for computing traces), and how many faults of
//! each kind of section 4.1.7 are found.
//!
//! Means of several runs, the model's graph apart. Prints tables; nothing is asserted.

#[path = "../tests/experiment/mod.rs"]
mod experiment;

use std::time::{Duration, Instant};

use choros_data::Terms;
use choros_monitor::audit::{Audit, Order};
use choros_testkit::{LogFault, Random, RandomChor, Seen, disturb, reorder};

use experiment::{files, graph, is_found, judge};

const RUNS: u32 = 5;
const MUTANTS: u32 = 200;

fn main() {
    #[expect(clippy::print_stdout, reason = "a benchmark prints its table")]
    let line = |text: String| println!("{text}");
    line("audit of two services, messages in one line".to_owned());
    line(format!(
        "{:>9} {:>10} {:>10} {:>10} {:>10} {:>8}",
        "messages", "reordered", "model ms", "local ms", "time ms", "verdict"
    ));
    for messages in [1_000, 2_000, 5_000, 10_000, 20_000] {
        for percent in [0, 1, 5, 20] {
            let chor = RandomChor::line(messages);
            let mut random = Random::new(1);
            let mut logs = chor.logs(&chor.run(&mut random));
            reorder(&mut logs, percent, &mut random);
            row(&chor, &logs, messages, percent, &line);
        }
    }
    line("audit of seven services and eleven channels with 277,200 traces".to_owned());
    let chor = RandomChor::many_traces();
    let logs = chor.logs(&chor.run(&mut Random::new(1)));
    row(&chor, &logs, 11, 0, &line);
    line(format!(
        "mutations, {MUTANTS} each, of seven services and eleven channels; some leave a run that is allowed"
    ));
    line(format!(
        "{:<16} {:>6} {:>10}",
        "mutation", "found", "mean ms"
    ));
    for fault in LogFault::ALL {
        let name = format!("{fault:?}").to_lowercase();
        mutants(&name, &line, |chor, random| {
            let mut logs = chor.logs(&chor.run(random));
            disturb(&mut logs, fault, chor.channels.len(), random);
            logs
        });
    }
    mutants("change operator", &line, |chor, random| {
        let mut other = chor.clone();
        other.change_operator(random);
        other.logs(&other.run(random))
    });
}

/// Judges mutated logs of random choreographies.
fn mutants(
    name: &str,
    line: &impl Fn(String),
    make: impl Fn(&RandomChor, &mut Random) -> Vec<Vec<Seen>>,
) {
    let mut random = Random::new(7);
    let (mut found, mut taken) = (0, Duration::ZERO);
    for _ in 0..MUTANTS {
        let chor = RandomChor::new(7, 11, random.number());
        let files = files(&chor, &make(&chor, &mut random));
        let mut terms = Terms::new();
        let stg = graph(&chor, &mut terms);
        let start = Instant::now();
        let audit = judge(&stg, &files, Order::Local, &mut terms);
        taken += start.elapsed();
        found += u32::from(is_found(&audit));
    }
    let mean = (taken / MUTANTS).as_secs_f64() * 1e3;
    line(format!("{name:<16} {found:>6} {mean:>10.3}"));
}

fn row(
    chor: &RandomChor,
    logs: &[Vec<Seen>],
    messages: usize,
    percent: u32,
    line: &impl Fn(String),
) {
    let files = files(chor, logs);
    let (mut model, mut local, mut time) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    let mut verdict = "";
    for _ in 0..RUNS {
        let mut terms = Terms::new();
        let start = Instant::now();
        let stg = graph(chor, &mut terms);
        model += start.elapsed();
        for (order, total) in [(Order::Local, &mut local), (Order::Time, &mut time)] {
            let start = Instant::now();
            let audit: Audit = judge(&stg, &files, order, &mut terms);
            *total += start.elapsed();
            verdict = audit.results.last().map_or("", |it| it.verdict.word());
        }
    }
    let mean = |total: Duration| (total / RUNS).as_secs_f64() * 1e3;
    line(format!(
        "{messages:>9} {percent:>9}% {:>10.2} {:>10.2} {:>10.2} {verdict:>8}",
        mean(model),
        mean(local),
        mean(time)
    ));
}

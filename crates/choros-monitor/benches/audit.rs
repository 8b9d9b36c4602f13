//! How the cost of an audit grows with the length of logs (Figure 4.7 of Nguyen's thesis: at most 139 ms for 20,000
//! messages of two services on the machine of 2012, without the 14.3 s for computing traces).
//!
//! Means of five runs, the model's graph included. Prints a table; nothing is asserted.

use std::time::{Duration, Instant};

use choros_base::{Budget, SourceMap};
use choros_data::Terms;
use choros_model::observation::{Number, Observation};
use choros_model::stg::{Direction, Stg};
use choros_monitor::audit::{
    Auditing, Crossing, Integers, Log, Order, Reading, Runs, Sessions, audit,
};
use choros_smt::NoSolver;
use choros_testkit::{Random, RandomChor, Seen, reorder};

const RUNS: u32 = 5;

fn main() {
    #[expect(clippy::print_stdout, reason = "a benchmark prints its table")]
    let line = |text: String| println!("{text}");
    line("audit of two services, messages in one line".to_owned());
    line(format!(
        "{:>9} {:>10} {:>10} {:>10} {:>10} {:>8}",
        "messages", "reordered", "model ms", "local ms", "time ms", "verdict"
    ));
    for messages in [1_000, 2_000, 5_000, 10_000, 20_000] {
        for percent in [0, 5] {
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
}

fn row(
    chor: &RandomChor,
    logs: &[Vec<Seen>],
    messages: usize,
    percent: u32,
    line: &impl Fn(String),
) {
    let text = chor.text();
    let files = files(chor, logs);
    let (mut model, mut local, mut time) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    let mut verdict = "";
    for _ in 0..RUNS {
        let mut terms = Terms::new();
        let start = Instant::now();
        let Some(stg) = graph(&text, &mut terms) else {
            line("the model was not read".to_owned());
            return;
        };
        model += start.elapsed();
        for (order, total) in [(Order::Local, &mut local), (Order::Time, &mut time)] {
            let start = Instant::now();
            let how = Auditing {
                order,
                reading: Reading::Whole,
                crossing: Crossing::Fails,
                sessions: Sessions::One,
                runs: Runs::MayBeUnfinished,
                integers: Integers::Declared,
                limit: 1_000_000,
            };
            let found = audit(
                &stg,
                &files,
                &how,
                &mut terms,
                &mut NoSolver,
                &Budget::unlimited(),
            );
            *total += start.elapsed();
            if let Ok(found) = found
                && let Some(global) = found.results.last()
            {
                verdict = global.verdict.word();
            }
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

fn graph(text: &str, terms: &mut Terms) -> Option<Stg> {
    let mut sources = SourceMap::new();
    let file = sources.add("bench.pact", text);
    let (model, _) = choros_lang::pact::read(file, text, "bench", terms);
    let id = model.ids().next()?;
    let lowered = model.lower(id, terms, &Budget::unlimited()).ok()?;
    Some(lowered.stg)
}

fn files(chor: &RandomChor, logs: &[Vec<Seen>]) -> Vec<Log> {
    let log = |(service, log): (usize, &Vec<Seen>)| Log {
        role: (service + 1).to_string(),
        source: format!("{}.jsonl", service + 1),
        observations: log
            .iter()
            .map(|&(sends, channel, number, at)| {
                let (from, to) = chor.channels[channel];
                let direction = if sends {
                    Direction::Send
                } else {
                    Direction::Receive
                };
                let mut observation = Observation::new(
                    format!("c{channel}"),
                    from.to_string(),
                    to.to_string(),
                    direction,
                );
                observation.id = Some(number.to_string().into());
                observation.at = Some(Number::from(at as i64));
                observation
            })
            .collect(),
    };
    logs.iter().enumerate().map(log).collect()
}

//! How realizability grows with timers: a service asks as many partners, one after the other, and gives each of them
//! two seconds; what comes too late is ignored.
//!
//! Prints a table; nothing is asserted but that all of them hold.

use std::time::Instant;

use choros_base::{Budget, SourceMap};
use choros_data::Terms;
use choros_lang::chor::read;
use choros_model::stg::{Role, Stg};
use choros_realize::{Closing, Criterion, Effort, Mode, Question, realizability};
use choros_smt::LazySolver;

/// With that many timers.
const TIMERS: std::ops::RangeInclusive<usize> = 0..=4;

fn main() {
    #[expect(clippy::print_stdout, reason = "a benchmark prints its table")]
    let line = |text: String| println!("{text}");
    line("realizability over queues with timers of two ticks and late messages".to_owned());
    line(format!(
        "{:>6} {:>7} {:>12} {:>9} {:>9}",
        "timers", "states", "transitions", "judge ms", "verdict"
    ));
    for timers in TIMERS {
        let mut terms = Terms::new();
        let Some((stg, services)) = model(timers, &mut terms) else {
            return line(format!("no graph with {timers} timers"));
        };
        let asked = Question {
            mode: Mode::Sender,
            criterion: Criterion::Semantic,
            repair: false,
            closing: Closing::Alone { services },
            effort: Effort {
                bound: 5,
                states: 1_000_000,
            },
        };
        let mut solver = LazySolver::without_any();
        let start = Instant::now();
        let found = realizability(&stg, &asked, &mut terms, &mut solver, &Budget::unlimited());
        let millis = start.elapsed().as_secs_f64() * 1_000.0;
        let verdict = match found {
            Ok(found) if found.semantic.holds() => "holds".to_owned(),
            Ok(found) => found.semantic.reason,
            Err(_) => "stopped".to_owned(),
        };
        line(format!(
            "{timers:>6} {:>7} {:>12} {millis:>9.1} {verdict:>9}",
            stg.nodes().len(),
            stg.edges().len(),
        ));
    }
}

fn model(timers: usize, terms: &mut Terms) -> Option<(Stg, Vec<Role>)> {
    let partners: String = (1..=timers).map(|it| format!(", service p{it}")).collect();
    let steps: String = (1..=timers)
        .map(|it| {
            format!(
                "s -> p{it}: Ask{it}\np{it} -> s: Answer{it} within 2s else {{ s -> p{it}: Never{it} }} late Answer{it} {{}}\n"
            )
        })
        .collect();
    let text = format!(
        "choreography C[c, service s{partners}] {{\nc -> s: Start\n{steps}s -> c: Done\n}}\n"
    );
    let mut sources = SourceMap::new();
    let file = sources.add("timers.chor", text.as_str());
    let (model, _) = read(file, &text, terms);
    let id = model.ids().next()?;
    let names: Vec<String> = model.services(id, terms).map(str::to_owned).collect();
    let services = names.iter().map(|it| Role(terms.names.intern(it)));
    let services = services.collect();
    let stg = model.lower(id, terms, &Budget::unlimited()).ok()?.stg;
    Some((stg, services))
}

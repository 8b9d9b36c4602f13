//! How roles under faults grow with the number of faults.
//!
//! A client asks a server some questions one after the other, and the server asks a store each time.
//! Prints a table; nothing is asserted.

use std::fmt::Write;
use std::time::Instant;

use choros_base::{Budget, SourceMap};
use choros_data::Terms;
use choros_model::faults::FaultModel;
use choros_model::stg::read_stg;
use choros_realize::faults::{Cast, FaultQuestion};
use choros_realize::{Closing, Effort};
use choros_smt::LazySolver;

/// Rounds of questions and answers.
const ROUNDS: usize = 6;

fn main() {
    #[expect(clippy::print_stdout, reason = "a benchmark prints its table")]
    let line = |text: String| println!("{text}");
    line(format!(
        "roles under faults: {ROUNDS} rounds of four messages, three roles"
    ));
    line(format!(
        "{:<14} {:>8} {:>8} {:>12} {:>8}  {}",
        "faults", "number", "states", "transitions", "ms", "verdict"
    ));
    for kind in ["lose", "duplicate", "reorder", "crash"] {
        for number in 0..=4 {
            let (text, shown) = match number {
                0 => ("delay".to_owned(), "0".to_owned()),
                4 => (kind.to_owned(), "any".to_owned()),
                number => (format!("{kind}:{number}"), number.to_string()),
            };
            let Ok(faults) = FaultModel::parse(&text) else {
                continue;
            };
            match judged(&faults) {
                Ok((states, transitions, milliseconds, verdict)) => line(format!(
                    "{kind:<14} {shown:>8} {states:>8} {transitions:>12} {milliseconds:>8.1}  {verdict}"
                )),
                Err(reason) => line(format!("{kind:<14} {shown:>8} {reason}")),
            }
        }
    }
}

fn judged(faults: &FaultModel) -> Result<(usize, usize, f64, &'static str), String> {
    let mut terms = Terms::new();
    let text = choreography();
    let file = SourceMap::new().add("rounds.stg", text.as_str());
    let (stg, _) = read_stg(file, &text, &mut terms);
    let mut solver = LazySolver::without_any();
    let budget = Budget::unlimited();
    let closing = Closing::Together;
    let cast = Cast::of_choreography(&stg, &closing, &mut terms, &mut solver, &budget);
    let cast = cast.map_err(|stop| stop.to_string())?;
    let asked = FaultQuestion {
        faults: faults.clone(),
        recovers: false,
        effort: Effort {
            bound: 5,
            states: 200_000,
        },
    };
    let start = Instant::now();
    let found = cast.survives(&asked, &mut terms, &mut solver, &budget);
    let found = found.map_err(|stop| stop.to_string())?;
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    let counts = found.counts;
    Ok((
        counts.states,
        counts.transitions,
        milliseconds,
        found.verdict.word(),
    ))
}

fn choreography() -> String {
    let mut text = "stg rounds explicit\ninitial 0\n".to_owned();
    for round in 0..ROUNDS {
        let messages = ["ask[c,s]", "look[s,d]", "found[d,s]", "tell[s,c]"];
        for (position, message) in messages.into_iter().enumerate() {
            let at = 4 * round + position;
            // A text can always be written to.
            let _ = writeln!(text, "{at} -> {}: {message}", at + 1);
        }
    }
    let _ = writeln!(text, "{}: end", 4 * ROUNDS);
    text
}

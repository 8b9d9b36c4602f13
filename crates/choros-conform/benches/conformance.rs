//! What conformance costs: the sizes of the published examples, and independent sessions in parallel.
//!
//! Times are the best of three, with the solver loaded; the certificate check is included.
//! Prints a table; nothing is asserted.

use std::time::{Duration, Instant};

use choros_base::{Budget, SourceMap};
use choros_conform::{Setup, conformance, conformance_by_parts};
use choros_data::Terms;
use choros_model::stg::{Stg, product, read_stg};

fn main() {
    #[expect(clippy::print_stdout, reason = "a benchmark prints its table")]
    let line = |text: String| println!("{text}");
    line("conformance, solver loaded, certificate checked".to_owned());
    line(format!(
        "{:<24} {:>8} {:>8} {:>10} {:>12}  verdict",
        "model", "states", "edges", "ms", "µs/edge"
    ));
    for (name, left, right) in EXAMPLES {
        measure(
            name,
            &|terms| (read(left, terms), read(right, terms)),
            Search::Whole,
            &line,
        );
    }
    for sessions in [2, 4, 6, 8, 11] {
        let name = format!("{sessions} sessions");
        measure(
            &name,
            &|terms| parallel(sessions, terms),
            Search::Whole,
            &line,
        );
        let name = format!("{sessions} sessions, by parts");
        measure(
            &name,
            &|terms| parallel(sessions, terms),
            Search::Parts,
            &line,
        );
    }
    for copies in [1, 2, 3] {
        let name = format!("{copies} sagas");
        measure(
            &name,
            &|terms| sagas(copies, 0, terms),
            Search::Whole,
            &line,
        );
        let name = format!("{copies} sagas, one wrong");
        measure(
            &name,
            &|terms| sagas(copies, 1, terms),
            Search::Whole,
            &line,
        );
    }
}

/// Sizes and kinds as in Table 3.4 of Nguyen's thesis.
const EXAMPLES: [(&str, &str, &str); 3] = [
    (
        "order (holds)",
        "stg impl explicit\ninitial 0\n0 -> 1: Request[b,v].<y>\n1 -> 2: [y < 5] Confirm[v,b]\n1 -> 2: [y >= 5] Abort[v,b]\n2: end\n",
        "stg spec explicit\ninitial 0\n0 -> 1: Request[b,v].<x>\n1 -> 2: [x < 5] Confirm[v,b]\n1 -> 2: [x >= 5] Abort[v,b]\n2: end\n",
    ),
    (
        "Example 5 (conditional)",
        "stg impl explicit\ninitial 0\n0 -> 1: Request[b,v].<y1>\n1 -> 2: [y1 >= 5] Tel[b,v].y\n2 -> 3: [y >= 10] Abort[v,b]\n2: end [y < 10]\n1 -> 3: [y1 < 5] Confirm[v,b]\n3: end\n",
        "stg spec explicit\ninitial 0\n0 -> 1: Request[b,v].<x>\n1 -> 2: [x < 5] Confirm[v,b]\n1 -> 2: [x >= 5] Abort[v,b]\n2: end\n",
    ),
    (
        "Requestor (fails)",
        "stg impl explicit\ninitial 0\n0 -> 1: request[a,b].<y>\n1 -> 2: response[b,a]\n2: end\n",
        "stg spec explicit\ninitial 0\n0 -> 1: request[a,b].<x>\n1 -> 2: [x > 0] response[b,a]\n1 -> 2: [x <= 0] error[b,a]\n2: end\n",
    ),
];

/// How two graphs are compared.
#[derive(Clone, Copy)]
enum Search {
    Whole,
    /// Independent parts one by one.
    Parts,
}

fn measure(
    name: &str,
    make: &dyn Fn(&mut Terms) -> (Stg, Stg),
    search: Search,
    line: &dyn Fn(String),
) {
    let setup = Setup {
        shared: Vec::new(),
        allow_fixed: false,
        most_changes: 24,
    };
    let mut best = Duration::MAX;
    let mut row = String::new();
    for round in 0..3 {
        // What takes long is measured once.
        if round > 0 && best > Duration::from_secs(1) {
            break;
        }
        let mut terms = Terms::new();
        let (left, right) = make(&mut terms);
        let Ok(mut solver) = choros_smt::find() else {
            line("no solver: run scripts/setup-solvers.sh".to_owned());
            return;
        };
        let start = Instant::now();
        let compare = match search {
            Search::Whole => conformance,
            Search::Parts => conformance_by_parts,
        };
        let budget = Budget::unlimited();
        let found = compare(&left, &right, &setup, &mut terms, &mut *solver, &budget);
        best = best.min(start.elapsed());
        let word = match &found {
            Ok(found) => found.verdict.word(),
            Err(_) => "the solver failed",
        };
        let edges = left.edges().len();
        row = format!(
            "{name:<24} {:>8} {edges:>8} {:>10.2} {:>12.1}  {word}",
            left.nodes().len(),
            best.as_secs_f64() * 1e3,
            best.as_secs_f64() * 1e6 / edges as f64,
        );
    }
    line(row);
}

/// This many sessions of a buyer and a vendor on each side, each with data of its own.
fn parallel(sessions: usize, terms: &mut Terms) -> (Stg, Stg) {
    let session = |side: &str, number: usize| {
        format!(
            "stg {side}{number} explicit\ninitial 0\n0 -> 1: req{number}[b,v].<{side}{number}>\n1 -> 2: [{side}{number} < 5] \
             ok{number}[v,b]\n1 -> 2: [{side}{number} >= 5] no{number}[v,b]\n2: end\n"
        )
    };
    let mut side = |side: &str| {
        let all: Vec<Stg> = (0..sessions)
            .map(|number| read(&session(side, number), terms))
            .collect();
        let parts: Vec<&Stg> = all.iter().collect();
        product(side, &parts, &Budget::unlimited(), terms)
            .expect("an unlimited budget")
            .stg
    };
    (side("y"), side("x"))
}

/// This many sagas that try to pay three times, each with data of its own; the last accepts from `least` on.
fn sagas(copies: usize, least: i64, terms: &mut Terms) -> (Stg, Stg) {
    let saga = |side: &str, n: usize, least: i64| {
        let (x, tries) = (format!("{side}{n}"), format!("{side}{n}tries"));
        format!(
            "stg {x} explicit\ninitial 0\n0 -> 1: place{n}[c,o].<{x}>\n1 -> 4: [{x} < {least}] reject{n}[o,c]\n\
             1 -> 2: [{x} >= {least}] reserve{n}[o,i].{x} / {tries} := 0\n2 -> 3: charge{n}[o,p].{x} / {tries} := \
             {tries} + 1\n3 -> 4: paid{n}[p,o]\n3 -> 5: failed{n}[p,o]\n5 -> 3: [{tries} < 3] again{n}[o,p] / \
             {tries} := {tries} + 1\n5 -> 4: [{tries} >= 3] cancel{n}[o,c]\n4: end\n"
        )
    };
    let mut side = |side: &str, last: i64| {
        let all: Vec<Stg> = (0..copies)
            .map(|n| {
                read(
                    &saga(side, n, if n + 1 == copies { last } else { 0 }),
                    terms,
                )
            })
            .collect();
        let parts: Vec<&Stg> = all.iter().collect();
        product(side, &parts, &Budget::unlimited(), terms)
            .expect("an unlimited budget")
            .stg
    };
    (side("y", least), side("x", 0))
}

fn read(text: &str, terms: &mut Terms) -> Stg {
    let mut sources = SourceMap::new();
    let file = sources.add("bench.stg", text);
    let (stg, diagnostics) = read_stg(file, text, terms);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    stg
}

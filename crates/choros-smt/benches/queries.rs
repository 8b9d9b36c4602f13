//! Queries per second, in process, by pipe, and with a solver per query.
//!
//! A query is what engines ask all day: open a level, assert eight mixed constraints, decide, read the values, close
//! the level.

#![allow(clippy::print_stdout)]

use std::path::Path;
use std::time::{Duration, Instant};

use choros_data::{Op, Sort, Term, Terms};
use choros_smt::{Answer, Backend, Checked, Dialect, InProcess, Pipe, Solver, SolverError};

type Opener = fn() -> Result<Box<dyn Backend>, SolverError>;

fn main() {
    let in_process: Opener = || {
        let path = std::env::var("CHOROS_LIBZ3").unwrap_or_else(|_| "libz3.so".to_owned());
        match InProcess::load(Path::new(&path)) {
            Ok(backend) => Ok(Box::new(backend)),
            Err(_) => Ok(Box::new(InProcess::load(Path::new("libz3.so.4"))?)),
        }
    };
    let z3: Opener = || Ok(Box::new(Pipe::start("z3", Dialect::Z3)?));
    let cvc5: Opener = || Ok(Box::new(Pipe::start("cvc5", Dialect::Cvc5)?));
    println!(
        "{:<34} {:>12} {:>10}",
        "8 mixed constraints", "queries/s", "ratio"
    );
    let mut first = None;
    for (name, open, per_query) in [
        ("in process", in_process, false),
        ("in process, a solver per query", in_process, true),
        ("z3 by pipe", z3, false),
        ("z3 by pipe, a solver per query", z3, true),
        ("cvc5 by pipe", cvc5, false),
    ] {
        match rate(open, per_query) {
            Ok(rate) => {
                let first = *first.get_or_insert(rate);
                println!("{name:<34} {rate:>12.0} {:>9.1}x", first / rate);
            }
            Err(error) => println!("{name:<34} {error}"),
        }
    }
}

/// Queries per second: the best of three runs of at least half a second.
fn rate(open: Opener, per_query: bool) -> Result<f64, SolverError> {
    let mut best: f64 = 0.0;
    for _ in 0..3 {
        let mut terms = Terms::new();
        let queries = constraints(&mut terms);
        let mut solver = Checked::new(open()?);
        let start = Instant::now();
        let mut done = 0;
        while start.elapsed() < Duration::from_millis(500) {
            for query in &queries {
                if per_query {
                    solver = Checked::new(open()?);
                }
                solver.push();
                for &formula in query {
                    solver.assert(formula);
                }
                let answer = solver.check(&mut terms)?;
                assert_eq!(answer, Answer::Sat);
                solver.pop();
                done += 1;
            }
        }
        best = best.max(f64::from(done) / start.elapsed().as_secs_f64());
    }
    Ok(best)
}

/// Forty queries of eight constraints such as guards and updates of a shop leave on a path; all satisfiable.
fn constraints(terms: &mut Terms) -> Vec<Vec<Term>> {
    let weight = terms.named("weight", Sort::INT);
    let price = terms.named("price", Sort::INT);
    let total = terms.named("total", Sort::INT);
    let reply = terms.named("reply", Sort::SYMBOL);
    let card = terms.named("card", Sort::SYMBOL);
    let urgent = terms.named("urgent", Sort::BOOL);
    let mut atom = |name: &str| {
        let name = terms.names.intern(name);
        terms.atom(Sort::SYMBOL, name)
    };
    let (ok, none) = (atom("OK"), atom("None"));
    (0..40)
        .map(|round| {
            let low = terms.int(round);
            let high = terms.int(round + 20);
            let three = terms.int(3);
            let product = terms.arithmetic(Op::Multiply, three, weight);
            let sum = terms.arithmetic(Op::Add, price, low);
            let dear = terms.compare(Op::Greater, price, high);
            vec![
                terms.compare(Op::GreaterEqual, weight, low),
                terms.compare(Op::Less, weight, high),
                terms.equal(price, product),
                terms.equal(total, sum),
                terms.equal(reply, ok),
                terms.not_equal(card, none),
                terms.implies(urgent, dear),
                terms.compare(Op::LessEqual, price, total),
            ]
        })
        .collect()
}

//! Queries per second, in process, by pipe, and with a solver per query.
//!
//! A query is what engines ask all day: open a level, assert eight mixed constraints, decide, read the values, close
//! the level.

#![allow(clippy::print_stdout)]

use std::path::Path;
use std::time::{Duration, Instant};

use choros_data::{Op, Sort, Term, Terms};
use choros_smt::{
    Backend, CheckedSolver, Dialect, InProcess, Pipe, Satisfiability, Solver, SolverError,
};

/// How often each contender has its turn, and for how long.
const ROUNDS: usize = 12;
const ROUND: Duration = Duration::from_millis(120);

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
    let mut contenders: Vec<Contender> = [
        ("in process", in_process, false),
        ("in process, a solver per query", in_process, true),
        ("z3 by pipe", z3, false),
        ("z3 by pipe, a solver per query", z3, true),
        ("cvc5 by pipe", cvc5, false),
    ]
    .into_iter()
    .map(|(name, open, per_query)| Contender::new(name, open, per_query))
    .collect();
    // In turns, and the best of each: what else the machine does hits all of them alike, and counts for none.
    for _ in 0..ROUNDS {
        for contender in &mut contenders {
            contender.run();
        }
    }
    println!(
        "{:<34} {:>12} {:>14}",
        "8 mixed constraints", "queries/s", "in process is"
    );
    let first = contenders[0].best;
    for contender in &contenders {
        match &contender.error {
            None => println!(
                "{:<34} {:>12.0} {:>13.1}x",
                contender.name,
                contender.best,
                first / contender.best
            ),
            Some(error) => println!("{:<34} {error}", contender.name),
        }
    }
}

/// A way of asking.
struct Contender {
    name: &'static str,
    open: Opener,
    per_query: bool,
    terms: Terms,
    queries: Vec<Vec<Term>>,
    solver: Option<CheckedSolver<Box<dyn Backend>>>,
    /// Queries per second, of the best round.
    best: f64,
    error: Option<SolverError>,
}

impl Contender {
    fn new(name: &'static str, open: Opener, per_query: bool) -> Contender {
        let mut terms = Terms::new();
        let queries = constraints(&mut terms);
        Contender {
            name,
            open,
            per_query,
            terms,
            queries,
            solver: None,
            best: 0.0,
            error: None,
        }
    }

    fn run(&mut self) {
        match self.round() {
            Ok(rate) => self.best = self.best.max(rate),
            Err(error) => self.error = Some(error),
        }
    }

    fn round(&mut self) -> Result<f64, SolverError> {
        let start = Instant::now();
        let mut done = 0;
        while start.elapsed() < ROUND {
            for query in &self.queries {
                if self.per_query {
                    self.solver = None;
                }
                let solver = match &mut self.solver {
                    Some(solver) => solver,
                    None => self.solver.insert(CheckedSolver::new((self.open)()?)),
                };
                solver.push();
                for &formula in query {
                    solver.assert(formula);
                }
                let answer = solver.check(&mut self.terms)?;
                assert_eq!(answer, Satisfiability::Sat);
                solver.pop();
                done += 1;
                if self.per_query && start.elapsed() >= ROUND {
                    break;
                }
            }
        }
        Ok(f64::from(done) / start.elapsed().as_secs_f64())
    }
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

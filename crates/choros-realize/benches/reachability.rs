//! How the cost of reachability grows with the size of the model.
//!
//! Trees as in section 3.5.3 of Nguyen's thesis (5 branches, 5 roles, 20 operations); times are the best of three.
//! Prints a table; nothing is asserted.

use std::time::{Duration, Instant};

use choros_base::Budget;
use choros_realize::reachability;
use choros_testkit::{Shape, random_choreography};

fn main() {
    #[expect(clippy::print_stdout, reason = "a benchmark prints its table")]
    let line = |text: String| println!("{text}");
    line("reachability of random trees, 5 branches, 5 roles, 20 operations".to_owned());
    line(format!(
        "{:>7} {:>6} {:>10} {:>9} {:>12} {:>7}",
        "states", "level", "ms", "queries", "µs/state", "dead"
    ));
    for data_level in [1, 2, 4] {
        for states in [1_000, 2_000, 5_000, 10_000] {
            let shape = Shape {
                states,
                branches: 5,
                roles: 5,
                operations: 20,
                data_level,
                contradictions: 10,
            };
            let mut best = Duration::MAX;
            let (mut queries, mut dead) = (0, 0);
            for _ in 0..3 {
                let mut model = random_choreography(shape, 1);
                let Ok(mut solver) = choros_smt::find() else {
                    line("no solver: run scripts/setup-solvers.sh".to_owned());
                    return;
                };
                let start = Instant::now();
                let result = reachability(
                    &model.stg,
                    &mut model.terms,
                    &mut *solver,
                    &Budget::unlimited(),
                );
                best = best.min(start.elapsed());
                match result {
                    Ok(result) => {
                        queries = result.queries;
                        dead = result.dead_edges().count();
                    }
                    Err(error) => line(format!("the solver failed: {error}")),
                }
            }
            line(format!(
                "{states:>7} {data_level:>6} {:>10.1} {queries:>9} {:>12.2} {dead:>7}",
                best.as_secs_f64() * 1e3,
                best.as_secs_f64() * 1e6 / states as f64,
            ));
        }
    }
}

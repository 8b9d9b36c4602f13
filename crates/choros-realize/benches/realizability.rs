//! The generic experiments on realizability (Figure 3.13 of Nguyen's thesis, whose values are lost): additions and
//! times on random trees, synchronous mode.
//!
//! The base is 1,000 states, 5 branches, 5 roles, 20 operations, data level 1; one of them is varied at a time.
//! Means of three trees. Prints a table; nothing is asserted.

use std::time::{Duration, Instant};

use choros_base::Budget;
use choros_model::stg::prune;
use choros_realize::{Class, Mode, conditions, project, reachability, repair};
use choros_testkit::{Shape, random_choreography};

/// Trees per configuration.
const TREES: u64 = 3;

fn main() {
    #[expect(clippy::print_stdout, reason = "a benchmark prints its table")]
    let line = |text: String| println!("{text}");
    line("realizability, repair and projection of random trees, synchronous".to_owned());
    line(format!(
        "{:>7} {:>8} {:>6} {:>10} {:>5} | {:>6} {:>6} {:>6} {:>6} | {:>9} {:>9} {:>9}",
        "states",
        "branches",
        "roles",
        "operations",
        "level",
        "cbr+da",
        "br",
        "or",
        "all",
        "check ms",
        "repair ms",
        "roles ms"
    ));
    for shape in shapes() {
        let mut sums = [0usize; 3];
        let mut times = [Duration::ZERO; 3];
        for seed in 0..TREES {
            match measure(shape, seed) {
                Ok((counts, spent)) => {
                    for index in 0..3 {
                        sums[index] += counts[index];
                        times[index] += spent[index];
                    }
                }
                Err(reason) => return line(reason),
            }
        }
        let mean = |sum: usize| sum / TREES as usize;
        let millis = |time: Duration| time.as_secs_f64() * 1e3 / TREES as f64;
        line(format!(
            "{:>7} {:>8} {:>6} {:>10} {:>5} | {:>6} {:>6} {:>6} {:>6} | {:>9.1} {:>9.1} {:>9.1}",
            shape.states,
            shape.branches,
            shape.roles,
            shape.operations,
            shape.data_level,
            mean(sums[0]),
            mean(sums[1]),
            mean(sums[2]),
            mean(sums.iter().sum()),
            millis(times[0]),
            millis(times[1]),
            millis(times[2]),
        ));
    }
}

/// The base, with one number varied at a time.
fn shapes() -> Vec<Shape> {
    let base = Shape::BASE;
    let mut shapes = Vec::new();
    shapes.extend([1_000, 2_000, 5_000, 10_000].map(|states| Shape { states, ..base }));
    shapes.extend([2, 10, 25, 50].map(|branches| Shape { branches, ..base }));
    shapes.extend([3, 10, 20].map(|roles| Shape { roles, ..base }));
    shapes.extend([5, 50].map(|operations| Shape { operations, ..base }));
    shapes.extend([0, 2, 4].map(|data_level| Shape { data_level, ..base }));
    shapes
}

/// Additions by class, and the times of judging, repairing and projecting.
fn measure(shape: Shape, seed: u64) -> Result<([usize; 3], [Duration; 3]), String> {
    let mut model = random_choreography(shape, seed);
    let mut solver =
        choros_smt::find().map_err(|_| "no solver: run scripts/setup-solvers.sh".to_owned())?;
    let budget = Budget::unlimited();
    let terms = &mut model.terms;
    let mode = Mode::Synchronous;
    let start = Instant::now();
    let live =
        reachability(&model.stg, terms, &mut *solver, &budget).map_err(|it| it.to_string())?;
    let stg = prune(
        &model.stg,
        terms,
        |edge| !live.edges[edge.0 as usize].is_dead(),
        |node, index| !live.terminations[node.0 as usize][index].is_dead(),
    );
    let found =
        conditions(&stg, mode, terms, &mut *solver, &budget).map_err(|it| it.to_string())?;
    let judged = start.elapsed();
    let start = Instant::now();
    let mended = repair(&stg, mode, &found, terms, &mut *solver, &budget)
        .map_err(|it| it.to_string())?
        .ok_or("no additions were found")?;
    let repaired = start.elapsed();
    let start = Instant::now();
    project(&mended.stg, mode, terms, &mut *solver, &budget).map_err(|it| it.to_string())?;
    let projected = start.elapsed();
    let mut counts = [0; 3];
    for addition in &mended.additions {
        let index = match addition.class {
            Class::ConditionalBranching | Class::Data => 0,
            Class::Branching(_) => 1,
            Class::Ordering => 2,
        };
        counts[index] += 1;
    }
    Ok((counts, [judged, repaired, projected]))
}

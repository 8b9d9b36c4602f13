//! The generic experiments on realizability (Figure 3.13 of Nguyen's thesis, whose values are lost): additions and
//! times on random trees, synchronous mode.
//!
//! The base is 1,000 states, 5 branches, 5 roles, 20 operations, data level 1; one of them is varied at a time.
//! Means of three trees. Prints a table and writes plots to `target/bench`; nothing is asserted.

use std::time::{Duration, Instant};

use choros_base::Budget;
use choros_model::stg::prune;
use choros_realize::{Class, Mode, conditions, project, reachability, repair};
use choros_report::{Curve, Plot, plots_svg};
use choros_testkit::{Shape, random_choreography, write_picture};

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
    for (varied, shapes) in experiments() {
        let mut measured = Vec::new();
        for (value, shape) in shapes {
            let mean = match mean(shape) {
                Ok(mean) => mean,
                Err(reason) => return line(reason),
            };
            line(mean.row(shape));
            measured.push((value, mean));
        }
        let name = format!("fig-3-13-{}", varied.replace(' ', "-"));
        match write_picture(&name, &plots_svg(&plots(varied, &measured))) {
            Ok(path) => line(format!("plot: {}", path.display())),
            Err(error) => line(format!("no plot: {error}")),
        }
    }
}

/// Means over some trees: additions by class, and milliseconds.
struct Mean {
    additions: [f64; 3],
    millis: [f64; 3],
}

impl Mean {
    fn row(&self, shape: Shape) -> String {
        let [data, branching, ordering] = self.additions;
        let [judged, repaired, projected] = self.millis;
        format!(
            "{:>7} {:>8} {:>6} {:>10} {:>5} | {data:>6.0} {branching:>6.0} {ordering:>6.0} {:>6.0} | {judged:>9.1} \
             {repaired:>9.1} {projected:>9.1}",
            shape.states,
            shape.branches,
            shape.roles,
            shape.operations,
            shape.data_level,
            self.additions.iter().sum::<f64>(),
        )
    }
}

fn mean(shape: Shape) -> Result<Mean, String> {
    let mut mean = Mean {
        additions: [0.0; 3],
        millis: [0.0; 3],
    };
    for seed in 0..TREES {
        let (counts, times) = measure(shape, seed)?;
        for index in 0..3 {
            mean.additions[index] += counts[index] as f64 / TREES as f64;
            mean.millis[index] += times[index].as_secs_f64() * 1e3 / TREES as f64;
        }
    }
    Ok(mean)
}

/// Additions on the left, times on the right.
fn plots(varied: &str, measured: &[(f64, Mean)]) -> [Plot; 2] {
    let curve = |name: &str, of: &dyn Fn(&Mean) -> f64| Curve {
        name: name.to_owned(),
        is_bad: false,
        points: measured
            .iter()
            .map(|(value, mean)| (*value, of(mean)))
            .collect(),
    };
    [
        Plot {
            title: "additions".to_owned(),
            across: varied.to_owned(),
            up: "messages".to_owned(),
            curves: vec![
                curve("data", &|mean| mean.additions[0]),
                curve("branching", &|mean| mean.additions[1]),
                curve("ordering", &|mean| mean.additions[2]),
                curve("all", &|mean| mean.additions.iter().sum()),
            ],
        },
        Plot {
            title: "time".to_owned(),
            across: varied.to_owned(),
            up: "ms".to_owned(),
            curves: vec![
                curve("conditions", &|mean| mean.millis[0]),
                curve("repair", &|mean| mean.millis[1]),
                curve("projection", &|mean| mean.millis[2]),
            ],
        },
    ]
}

/// The values of what is varied, with the shapes.
type Experiment = (&'static str, Vec<(f64, Shape)>);

/// The base, with one number varied at a time.
fn experiments() -> Vec<Experiment> {
    let base = Shape::BASE;
    let vary = |values: &[usize], shape: &dyn Fn(usize) -> Shape| -> Vec<(f64, Shape)> {
        values
            .iter()
            .map(|&value| (value as f64, shape(value)))
            .collect()
    };
    vec![
        (
            "states",
            vary(
                &[
                    1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 7_000, 8_000, 9_000, 10_000,
                ],
                &|states| Shape { states, ..base },
            ),
        ),
        (
            "branches",
            vary(&[2, 5, 10, 25, 50], &|branches| Shape { branches, ..base }),
        ),
        (
            "roles",
            vary(&[3, 5, 10, 20], &|roles| Shape { roles, ..base }),
        ),
        (
            "operations",
            vary(&[5, 20, 50], &|operations| Shape { operations, ..base }),
        ),
        (
            "data level",
            vary(&[0, 1, 2, 3, 4], &|data_level| Shape { data_level, ..base }),
        ),
    ]
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
        |edge| !live.edges[edge.index()].is_dead(),
        |node, index| !live.terminations[node.index()][index].is_dead(),
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

//! The answer of `realize` with data against an independent composition: guards, values that are passed on and bound
//! again, over finite sorts.
//!
//! `CHOROS_SEED` repeats a failure; the seed is printed.
//! The mode per role has laws of its own (`peers_data.rs`).

#![allow(
    clippy::print_stdout,
    reason = "how many are left open is worth seeing"
)]

mod support;

use choros_base::Budget;
use choros_data::Terms;
use choros_model::stg::write_stg;
use choros_realize::project;
use choros_testkit::{Random, rounds, seed_from_env};

use support::ask::{MODES, ask, closing, question, random_closing, solver, word};
use support::ground::{Answer, BOUND, realizable};
use support::ground_part::is_open;
use support::random_data::random_data;

#[test]
fn realize_with_data_says_what_an_independent_composition_says() {
    let seed = seed_from_env();
    let rounds = rounds(40) as u64;
    let counts = compare(seed, rounds, 5);
    for (mode, [holds, fails, ..]) in MODES.iter().zip(counts) {
        assert!(
            holds as u64 >= rounds / 20 && fails as u64 > rounds / 8,
            "{:?}: {counts:?}",
            mode.0
        );
    }
}

/// For each mode: how many hold, fail, how many the twin did not settle, how many the engine did not settle though the
/// twin did, and how many it did not settle with room for one message in each queue.
type Counts = [[usize; 5]; 4];

fn compare(seed: u64, rounds: u64, most_nodes: usize) -> Counts {
    let mut counts = Counts::default();
    let mut rebound = 0;
    for round in 0..rounds {
        let mut solver = solver();
        let mut terms = Terms::new();
        let mut random = Random::new(seed.wrapping_add(round));
        let stg = random_data(&mut random, most_nodes, &mut terms);
        assert!(stg.parameters(&terms).is_empty());
        let closing = closing(&random_closing(&mut random, 3, 25, 25), &mut terms);
        let open = stg.edges().iter().filter(|it| is_open(it)).count();
        rebound += usize::from(open > stg.variables(&terms).len());
        for (index, (mode, _)) in MODES.into_iter().enumerate() {
            let place = format!(
                "seed {seed}, round {round}, {mode:?}, {closing:?}\n{}",
                write_stg(&stg, &terms)
            );
            let [found, short] = [BOUND, 1].map(|bound| {
                let asked = question(mode, closing.clone(), bound);
                ask(&stg, &asked, &mut terms, &mut *solver)
            });
            let projections = project(
                &found.reachable,
                mode,
                &mut terms,
                &mut *solver,
                &Budget::unlimited(),
            );
            let projections = projections.expect("the solver answers");
            let expected = realizable(&stg, &projections, mode, &closing, &terms);
            let said = word(&found);
            let slot = match expected {
                Answer::Holds => 0,
                Answer::Fails => 1,
                Answer::Cut => 2,
            };
            counts[index][slot] += 1;
            if expected == Answer::Cut {
                continue;
            }
            let expected = ["holds", "fails"][slot];
            counts[index][3] += usize::from(said == "unknown");
            counts[index][4] += usize::from(word(&short) == "unknown");
            for (said, found) in [(said, &found), (word(&short), &short)] {
                assert!(
                    said == "unknown" || said == expected,
                    "{place}\nthe engine: {said} ({}), the twin: {expected}",
                    found.semantic.reason
                );
            }
        }
    }
    println!("seed {seed}: {counts:?}, {rebound} bind again");
    counts
}

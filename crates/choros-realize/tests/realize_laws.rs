//! The answer of `realize` against an independent composition, on random choreographies without data.
//!
//! `CHOROS_SEED` repeats a failure; the seed is printed.

#![allow(
    clippy::print_stdout,
    reason = "how many are left open is worth seeing"
)]

mod support;

use choros_testkit::{Random, seed_from_env};

use support::ask::{MODES, judge, random_closing, word};
use support::naive::{self, Answer, realizable};
use support::random_graph::random_graph;

#[test]
fn realize_says_what_an_independent_composition_says() {
    let seed = seed_from_env();
    let counts = compare(seed, 150, 6);
    assert!(counts.holds > 20 && counts.fails > 100, "{counts:?}");
}

#[test]
#[ignore = "takes minutes: make soak"]
fn realize_says_what_an_independent_composition_says_often() {
    let seed = seed_from_env();
    let counts = compare(seed, 4_000, 8);
    assert!(counts.holds > 400 && counts.fails > 2_000, "{counts:?}");
}

/// How many answers of each kind the twin gave, and how many the engine left open, by mode.
#[derive(Debug, Default)]
struct Counts {
    holds: usize,
    fails: usize,
    /// The twin's queues were full.
    cut: [usize; 4],
    /// Of these, the engine did not settle so many.
    open: [usize; 4],
    /// Of the others, the engine did not settle this many with room for a single message in each queue.
    open_at_one: [usize; 4],
}

fn compare(seed: u64, rounds: u64, most_nodes: usize) -> Counts {
    let mut counts = Counts::default();
    for round in 0..rounds {
        let mut random = Random::new(seed.wrapping_add(round));
        let graph = random_graph(&mut random, most_nodes);
        let closing = random_closing(&mut random, graph.roles, 25, 25);
        for (index, (mode, twin)) in MODES.into_iter().enumerate() {
            let expected = realizable(&graph, &graph, twin, &closing);
            let found = word(&judge(&graph, mode, &closing, naive::BOUND));
            // Short queues are full soon; what is said all the same has to be true of longer ones.
            let short = word(&judge(&graph, mode, &closing, 1));
            let place = format!("seed {seed}, round {round}, {mode:?}, {closing:?}: {graph:?}");
            let expected = match expected {
                Answer::Holds => {
                    counts.holds += 1;
                    "holds"
                }
                Answer::Fails => {
                    counts.fails += 1;
                    "fails"
                }
                Answer::Cut => {
                    counts.cut[index] += 1;
                    counts.open[index] += usize::from(found == "unknown");
                    if short != "unknown" {
                        assert_eq!(found, short, "{place}");
                    }
                    if found == "holds" {
                        assert!(naive::may_be_realizable(&graph, twin, &closing), "{place}");
                    }
                    continue;
                }
            };
            assert_eq!(found, expected, "{place}");
            counts.open_at_one[index] += usize::from(short == "unknown");
            if short != "unknown" {
                assert_eq!(short, expected, "one place, {place}");
            }
        }
    }
    println!("seed {seed}: {counts:?}");
    counts
}

//! Certificates about choreographies: what they show is what the twin says, and no damaged one shows anything else.
//!
//! `CHOROS_SEED` repeats a failure; the seed is printed.

#![allow(clippy::print_stdout, reason = "how many were damaged is worth seeing")]

mod support;

use choros_base::Budget;
use choros_certify::{ConformanceProof, RealizationProof, RelatedPair, check_realization};
use choros_data::{Term, Terms};
use choros_model::stg::{EdgeId, NodeId};
use choros_realize::{Assembly, Closing, Criterion, Effort, Question};
use choros_smt::LazySolver;
use choros_testkit::{Random, rounds, seed_from_env};

use support::ask::MODES;
use support::naive::{self, Answer, realizable};
use support::random_graph::{conversation, role, stg};

#[test]
fn answers_have_certificates_and_damaged_ones_show_nothing_false() {
    let seed = seed_from_env();
    // By the twin's answer: with a certificate, without one.
    let mut counts = [[0usize; 2]; 3];
    let (mut refused, mut accepted) = (0, 0);
    for round in 0..rounds(250) as u64 {
        let mut random = Random::new(seed.wrapping_add(round));
        let graph = conversation(&mut random, 7);
        let services: Vec<usize> = (0..graph.roles).filter(|_| random.percent(25)).collect();
        let closing = if random.percent(30) {
            naive::Closing::Together
        } else {
            naive::Closing::Alone(services)
        };
        for (mode, twin) in MODES {
            let place = format!("seed {seed}, round {round}, {mode:?}, {closing:?}: {graph:?}");
            let expected = realizable(&graph, &graph, twin, &closing);
            let mut terms = Terms::new();
            let stg = stg(&graph, &mut terms);
            let asked = Question {
                mode,
                criterion: Criterion::Semantic,
                repair: false,
                closing: match &closing {
                    naive::Closing::Together => Closing::Together,
                    naive::Closing::Alone(services) => Closing::Alone {
                        services: services.iter().map(|&it| role(it, &mut terms)).collect(),
                    },
                },
                effort: Effort {
                    bound: 2,
                    states: 20_000,
                },
            };
            let budget = Budget::unlimited();
            let mut solver = LazySolver::without_any();
            let assembly = Assembly::of(&stg, &asked, &mut terms, &mut solver, &budget);
            let found = assembly.and_then(|assembly| {
                let proof = assembly.proof(&stg, &mut terms, &mut solver, &budget)?;
                Ok((assembly, proof))
            });
            counts[expected as usize][usize::from(found.is_err())] += 1;
            let Ok((assembly, proof)) = found else {
                continue;
            };
            agrees(&proof, &expected, &place);
            for _ in 0..10 {
                let damaged = damage(&proof, &assembly, &mut random);
                let sides = assembly.sides(&stg, &mut terms);
                let checked = check_realization(
                    &damaged,
                    &sides,
                    &assembly.assembled,
                    assembly.allow_fixed,
                    &mut terms,
                    &mut solver,
                    &budget,
                );
                match checked.expect("no data") {
                    Ok(()) => {
                        agrees(&damaged, &expected, &place);
                        accepted += 1;
                    }
                    Err(_) => refused += 1,
                }
            }
        }
    }
    let [holds, fails, cut] = counts;
    println!(
        "seed {seed}: with and without a certificate: holds {holds:?}, fails {fails:?}, cut {cut:?}; {refused} damaged \
         ones refused, {accepted} still true"
    );
    assert!(holds[0] > 50 && fails[0] > 50 && refused > 1_000);
    assert!(holds[1] * 10 < holds[0]);
}

/// What a proof shows is what the twin says.
fn agrees(proof: &RealizationProof, expected: &Answer, place: &str) {
    let works = matches!(
        proof,
        RealizationProof::Compared(ConformanceProof::Relation { .. })
    );
    match (works, expected) {
        (true, Answer::Fails) | (false, Answer::Holds) => panic!("{place}\n{proof:?}"),
        (true, Answer::Holds) | (false, Answer::Fails) | (_, Answer::Cut) => {}
    }
}

/// The proof with something changed, or one that claims the opposite.
fn damage(proof: &RealizationProof, assembly: &Assembly, random: &mut Random) -> RealizationProof {
    let mut proof = proof.clone();
    let nodes = assembly.stg.nodes().len();
    let edges = assembly.stg.edges().len();
    match &mut proof {
        RealizationProof::Compared(ConformanceProof::Relation { pairs, .. }) => {
            let at = random.below(pairs.len());
            match random.below(3) {
                0 => {
                    pairs.remove(at);
                }
                1 => pairs[at].left = NodeId(random.below(nodes) as u32),
                _ => pairs[at].right = NodeId(random.below(8) as u32),
            }
        }
        RealizationProof::Compared(ConformanceProof::Attack(attack)) => {
            // Everything is related to everything.
            if random.percent(30) {
                let pairs = (0..nodes as u32).flat_map(|left| {
                    (0..8).map(move |right| RelatedPair {
                        left: NodeId(left),
                        right: NodeId(right),
                        condition: Term::TRUE,
                    })
                });
                let start = Term::TRUE;
                let pairs = pairs.collect();
                let related = ConformanceProof::Relation { start, pairs };
                return RealizationProof::Compared(related);
            }
            let at = random.below(attack.positions.len());
            match random.below(3) {
                0 => {
                    attack.positions.remove(at);
                }
                1 => attack.positions[at].left.node = NodeId(random.below(nodes) as u32),
                _ => {
                    attack.positions[at].replies.pop();
                }
            }
        }
        RealizationProof::Stranded { run, waits } => match random.below(3) {
            0 => {
                run.choices.pop();
            }
            1 => *waits = random.below(assembly.assembled.expectations.len() + 1),
            _ if run.choices.is_empty() => *waits += 1,
            _ => {
                let at = random.below(run.choices.len());
                run.choices[at].edge = EdgeId(random.below(edges) as u32);
            }
        },
        RealizationProof::Forbidden(run) => {
            if run.choices.is_empty() {
                return RealizationProof::Forbidden(Default::default());
            } else {
                let at = random.below(run.choices.len());
                run.choices.truncate(at);
            }
        }
    }
    proof
}

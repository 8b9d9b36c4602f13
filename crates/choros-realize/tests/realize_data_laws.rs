//! The answer of `realize` with data against an independent composition: guards, values that are passed on and bound
//! again, over finite sorts.
//!
//! A twin composes the projections by hand and takes their word for when a role expects a message.
//! Another asks what each role could know if it forgot nothing: what the engine says to hold has to hold for it too.
//! `CHOROS_SEED` repeats a failure; the seed is printed.
//! The mode per role has laws of its own (`peers_data.rs`).

#![allow(
    clippy::print_stdout,
    reason = "how many are left open is worth seeing"
)]

mod support;

use choros_base::{Budget, SourceMap};
use choros_data::{Term, Terms};
use choros_model::stg::{Direction, Stg, read_stg, write_stg};
use choros_realize::{Closing, Mode, Projection, project};
use choros_smt::Solver;
use choros_testkit::{Random, rounds, seed_from_env};

use support::ask::{MODES, ask, closing, question, random_closing, solver, word};
use support::ground::{Answer, BOUND, realizable, realizable_remembering};
use support::ground_part::{is_open, label};
use support::random_data::random_data;

#[test]
fn realize_with_data_says_what_an_independent_composition_says() {
    let counts = compare(seed_from_env(), rounds(40) as u64, 5);
    for (mode, [holds, fails, ..]) in MODES.iter().zip(counts) {
        assert!(holds + fails > 0, "{:?}: nothing was compared", mode.0);
    }
}

/// What is drawn is worth comparing: of these, whatever the seed of the run, enough hold and enough fail.
///
/// The twin alone says so, which the law above compares with the engine.
#[test]
fn random_choreographies_with_data_hold_and_fail() {
    let rounds = 40;
    let mut counts = [[0_u64; 2]; 4];
    let mut rebound = 0;
    for round in 0..rounds {
        let mut drawn = Drawn::new(SAMPLE + round, 5);
        rebound += u64::from(drawn.binds_again());
        for (index, (mode, _)) in MODES.into_iter().enumerate() {
            let reachable = drawn.stg.clone();
            match drawn.expected(&reachable, mode) {
                Answer::Holds => counts[index][0] += 1,
                Answer::Fails => counts[index][1] += 1,
                Answer::Cut => {}
            }
        }
    }
    for (mode, [holds, fails]) in MODES.iter().zip(counts) {
        assert!(
            holds >= rounds / 10 && fails >= rounds / 4,
            "{:?}: {counts:?}",
            mode.0
        );
    }
    assert!(rebound >= rounds / 10, "{rebound} bind again");
}

/// Where the sample begins.
const SAMPLE: u64 = 20_131_031;

/// A random choreography and how it ends.
struct Drawn {
    terms: Terms,
    solver: Box<dyn Solver>,
    stg: Stg,
    closing: Closing,
}

impl Drawn {
    fn new(seed: u64, most_nodes: usize) -> Drawn {
        let mut terms = Terms::new();
        let mut random = Random::new(seed);
        let stg = random_data(&mut random, most_nodes, &mut terms);
        assert!(stg.parameters(&terms).is_empty());
        let closing = closing(&random_closing(&mut random, 3, 25, 25), &mut terms);
        Drawn {
            terms,
            solver: solver(),
            stg,
            closing,
        }
    }

    fn binds_again(&self) -> bool {
        let open = self.stg.edges().iter().filter(|it| is_open(it)).count();
        open > self.stg.variables(&self.terms).len()
    }

    /// What the twin says of the projections of the graph without what cannot happen.
    fn expected(&mut self, reachable: &Stg, mode: Mode) -> Answer {
        let projections = self.projections(reachable, mode);
        realizable(&self.stg, &projections, mode, &self.closing, &self.terms)
    }

    /// What it says if the roles forget nothing.
    fn remembered(&mut self, reachable: &Stg, mode: Mode) -> Answer {
        let projections = self.projections(reachable, mode);
        realizable_remembering(&self.stg, &projections, mode, &self.closing, &self.terms)
    }

    fn projections(&mut self, reachable: &Stg, mode: Mode) -> Vec<Projection> {
        let budget = Budget::unlimited();
        let found = project(reachable, mode, &mut self.terms, &mut *self.solver, &budget);
        found.expect("the solver answers")
    }
}

/// `b` takes no part in `p` and `q` and sees one step for the two; what it expects later is not that of another step.
#[test]
fn steps_that_look_alike_to_a_role_are_one() {
    let text = "\
stg alike explicit
variables v: Bool
initial 0
0 -> 1: p[c,d]
0 -> 1: q[c,d]
1 -> 2: x[c,b].<v>
2 -> 3: [v] y[b,c]
2 -> 5: [not v] n[b,c]
3 -> 4: z[c,b]
4: end
5: end
";
    let mut terms = Terms::new();
    let file = SourceMap::new().add("alike.stg", text);
    let (graph, found) = read_stg(file, text, &mut terms);
    assert!(found.is_empty(), "{found:?}");
    let mut solver = solver();
    let (mode, budget) = (Mode::Synchronous, Budget::unlimited());
    let projections = project(&graph, mode, &mut terms, &mut *solver, &budget);
    let projections = projections.expect("the solver answers");
    let of_b = projections
        .iter()
        .find(|it| terms.names.text(it.role.0) == "b");
    let of_b = of_b.expect("b takes part");
    let listening = of_b.foresights.iter().map(|it| it.listens);
    let receives = |node| {
        let mut edges = of_b.stg.outgoing(node);
        edges.any(|(_, edge)| label(edge).1 == Direction::Receive)
    };
    for (node, listens) in of_b.stg.node_ids().zip(listening) {
        let expected = if receives(node) {
            Term::TRUE
        } else {
            Term::FALSE
        };
        assert_eq!(listens, expected, "{}", terms.print(listens));
    }
}

/// For each mode: how many hold, fail, how many the twin did not settle, how many the engine did not settle though the
/// twin did, and how many it did not settle with room for one message in each queue.
type Counts = [[usize; 5]; 4];

fn compare(seed: u64, rounds: u64, most_nodes: usize) -> Counts {
    let mut counts = Counts::default();
    let (mut rebound, mut forgotten) = (0, 0);
    for round in 0..rounds {
        let mut drawn = Drawn::new(seed.wrapping_add(round), most_nodes);
        rebound += usize::from(drawn.binds_again());
        for (index, (mode, _)) in MODES.into_iter().enumerate() {
            let place = format!(
                "seed {seed}, round {round}, {mode:?}, {:?}\n{}",
                drawn.closing,
                write_stg(&drawn.stg, &drawn.terms)
            );
            let [found, short] = [BOUND, 1].map(|bound| {
                let asked = question(mode, drawn.closing.clone(), bound);
                ask(&drawn.stg, &asked, &mut drawn.terms, &mut *drawn.solver)
            });
            let expected = drawn.expected(&found.reachable, mode);
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
            let remembered = drawn.remembered(&found.reachable, mode);
            assert!(
                expected != "holds" || remembered != Answer::Fails,
                "{place}\nit holds, and fails by what the roles could know"
            );
            if expected == "fails" && remembered == Answer::Holds {
                forgotten += 1;
                if std::env::var_os("CHOROS_SHOW").is_some() {
                    println!("{place}\n{}", found.semantic.reason);
                }
            }
            for (said, found) in [(said, &found), (word(&short), &short)] {
                assert!(
                    said == "unknown" || said == expected,
                    "{place}\nthe engine: {said} ({}), the twin: {expected}",
                    found.semantic.reason
                );
            }
        }
    }
    println!(
        "seed {seed}: {counts:?}, {rebound} bind again, {forgotten} fail because a role forgets"
    );
    counts
}

//! The part of a role has just the runs of the choreography that the role sees, by trying all values.
//!
//! `CHOROS_SEED` repeats a failure; the seed is printed.

use std::collections::VecDeque;

use choros_base::{Budget, SourceMap};
use choros_conform::{Setup, conformance};
use choros_data::{Term, Terms};
use choros_model::Verdict;
use choros_model::stg::{Direction, Stg, read_stg};
use choros_realize::{AmongPartners, Projection, among_partners, knowable, part};
use choros_smt::Solver;
use choros_testkit::{
    LocalRuns, Random, SeenMessage, Situations, random_data_choreography, rounds, seed_from_env,
};

const DOMAIN: [i64; 2] = [0, 1];

/// What one graph sees and the other does not.
fn difference(
    one: &LocalRuns<'_>,
    other: &LocalRuns<'_>,
    is_more_allowed: bool,
    terms: &mut Terms,
) -> Option<String> {
    let start = (one.start(terms), other.start(terms), Vec::new());
    let mut seen: Vec<(Situations, Situations)> = Vec::new();
    let mut work: VecDeque<(Situations, Situations, Vec<SeenMessage>)> = VecDeque::from([start]);
    while let Some((left, right, word)) = work.pop_front() {
        if seen.len() > 60 || seen.contains(&(left.clone(), right.clone())) {
            continue;
        }
        seen.push((left.clone(), right.clone()));
        let ends = [one.may_end(&left, terms), other.may_end(&right, terms)];
        if ends[0] != ends[1] && !(is_more_allowed && ends[1]) {
            return Some(format!("after {word:?}: the end {ends:?}"));
        }
        let after = other.next(&right, terms);
        let before = one.next(&left, terms);
        if let Some((more, _)) = after
            .iter()
            .find(|it| before.iter().all(|its| its.0 != it.0))
            && !is_more_allowed
        {
            return Some(format!("after {word:?}: {more:?} is too much"));
        }
        for (letter, left) in before {
            let Some((_, right)) = after.iter().find(|it| it.0 == letter) else {
                return Some(format!("after {word:?}: {letter:?} is missing"));
            };
            let mut word = word.clone();
            word.push(letter);
            work.push_back((left, right.clone(), word));
        }
    }
    None
}

struct Case {
    terms: Terms,
    text: String,
    stg: Stg,
}

fn case(random: &mut Random) -> Case {
    let text = random_data_choreography(random);
    let (mut sources, mut terms) = (SourceMap::new(), Terms::new());
    let file = sources.add("random.stg", text.clone());
    let (stg, mistakes) = read_stg(file, &text, &mut terms);
    assert!(mistakes.is_empty(), "{text}{mistakes:?}");
    Case { terms, text, stg }
}

#[test]
fn a_part_has_just_the_runs_that_the_role_sees() {
    let mut random = Random::new(seed_from_env());
    let mut remembered = 0;
    for _ in 0..rounds(120) {
        let Case {
            mut terms,
            text,
            stg,
        } = case(&mut random);
        let mut solver = choros_smt::find().expect("tests have a solver");
        let budget = Budget::steps(200);
        for role in stg.roles() {
            let Ok(Projection { stg: graph, .. }) =
                part(&stg, role, &mut terms, &mut *solver, &budget)
            else {
                continue;
            };
            let runs = LocalRuns::new(&stg, role, &DOMAIN, &terms);
            let own = LocalRuns::new(&graph, role, &DOMAIN, &terms);
            let found = difference(&runs, &own, false, &mut terms);
            let name = terms.names.text(role.0);
            assert_eq!(found, None, "{name} of {text}");
            remembered += usize::from(!graph.parameters(&terms).is_empty());
        }
    }
    assert!(remembered > 10, "{remembered}");
}

/// Whether a role sends without conditions, and nothing that it might not know: nobody can write a program that sends
/// what it does not know.
fn decides_freely(stg: &Stg) -> bool {
    stg.edges().iter().all(|edge| {
        let message = edge.event.message();
        let sends = message.is_some_and(|it| it.direction == Direction::Send);
        !sends || edge.guard == Term::TRUE && edge.event.free_terms().next().is_none()
    })
}

/// A program may take more than the part, and takes all that the part takes.
#[test]
fn a_program_takes_all_that_the_part_takes() {
    let mut random = Random::new(seed_from_env());
    let mut compared = 0;
    for _ in 0..rounds(60) {
        let Case {
            mut terms,
            text,
            stg,
        } = case(&mut random);
        let mut solver = choros_smt::find().expect("tests have a solver");
        let budget = Budget::steps(200);
        let parameters = stg.parameters(&terms);
        for role in stg.roles() {
            let Ok(part) = part(&stg, role, &mut terms, &mut *solver, &budget) else {
                continue;
            };
            if !decides_freely(&part.stg) {
                continue;
            }
            let program = knowable(&part, &parameters, &mut terms, &mut *solver, &budget);
            let Ok(program) = program else {
                continue;
            };
            let runs = LocalRuns::new(&stg, role, &DOMAIN, &terms);
            let own = LocalRuns::new(&program.stg, role, &DOMAIN, &terms);
            let found = difference(&runs, &own, true, &mut terms);
            let name = terms.names.text(role.0);
            assert_eq!(found, None, "{name} of {text}");
            compared += 1;
        }
    }
    assert!(compared > 10, "{compared}");
}

/// Whether a role may receive the same message in two ways, so that a service would have to guess which.
fn is_ambiguous(stg: &Stg) -> bool {
    stg.node_ids().any(|node| {
        let received: Vec<_> = stg
            .outgoing(node)
            .filter_map(|(_, edge)| edge.event.message())
            .filter(|message| message.direction == Direction::Receive)
            .map(|message| (message.operation, message.from))
            .collect();
        (1..received.len()).any(|last| received[..last].contains(&received[last]))
    })
}

/// A service that is the part itself, and that need not guess, does its part.
#[test]
fn the_part_conforms_among_its_partners() {
    let mut random = Random::new(seed_from_env());
    let mut held = 0;
    for _ in 0..rounds(40) {
        let Case {
            mut terms,
            text,
            stg,
        } = case(&mut random);
        let mut solver = choros_smt::find().expect("tests have a solver");
        let budget = Budget::steps(200);
        for role in stg.roles() {
            let Ok(part) = part(&stg, role, &mut terms, &mut *solver, &budget) else {
                continue;
            };
            if is_ambiguous(&part.stg) {
                continue;
            }
            let parameters = part.stg.parameters(&terms);
            let shared: Vec<String> = parameters
                .iter()
                .map(|&it| terms.variable_text(it).to_owned())
                .collect();
            let service = part.stg.clone().renamed("service");
            let composed =
                among_partners(&service, &part, &shared, &mut terms, &mut *solver, &budget);
            let Ok(AmongPartners::Composed { stg: composed, .. }) = composed else {
                continue;
            };
            let setup = Setup {
                shared,
                allow_fixed: false,
                most_changes: 24,
            };
            let budget = Budget::steps(20_000);
            let solver: &mut dyn Solver = &mut *solver;
            let found = conformance(&composed, &part.stg, &setup, &mut terms, solver, &budget)
                .expect("the solver works");
            let name = terms.names.text(role.0);
            let fails = matches!(found.verdict, Verdict::Fails(_) | Verdict::HoldsIf(..));
            assert!(!fails, "{name} of {text}{:?}", found.verdict);
            held += usize::from(matches!(found.verdict, Verdict::Holds(_)));
        }
    }
    assert!(held > 10, "{held}");
}

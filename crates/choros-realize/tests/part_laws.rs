//! The part of a role has just the runs of the choreography that the role sees, by trying all values.
//!
//! `CHOROS_SEED` repeats a failure; the seed is printed.

use std::collections::VecDeque;

use choros_base::{Budget, SourceMap};
use choros_conform::{Setup, conformance};
use choros_data::{Term, Terms};
use choros_model::stg::{Direction, Role, Stg, read_stg};
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

/// Whether a role sends without conditions, and nothing that it might not know: no one can write a program that sends
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

/// A parameter that the service binds again is its own from then on: the partners still ask for the value that was
/// given.
#[test]
fn a_parameter_that_is_bound_again_is_told_apart() {
    let text = "stg given explicit\ninitial 0\n0 -> 1: [z > 0] m[c,b].<z>\n0 -> 1: [z <= 0] m[c,b].y\n\
                1 -> 2: n[c,b].z\n2: end\n";
    let file = SourceMap::new().add("given.stg", text);
    let mut terms = Terms::new();
    let (stg, mistakes) = read_stg(file, text, &mut terms);
    assert!(mistakes.is_empty(), "{mistakes:?}");
    let mut solver = choros_smt::find().expect("tests have a solver");
    let role = stg.roles()[0];
    assert_eq!(
        conforms(&stg, role, &mut terms, &mut *solver),
        Some("holds")
    );
}

/// Whether the part of a role conforms among its partners; `None` where that cannot be asked.
fn conforms(
    stg: &Stg,
    role: Role,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Option<&'static str> {
    let budget = Budget::steps(200);
    let part = part(stg, role, terms, solver, &budget).ok()?;
    if is_ambiguous(&part.stg) {
        return None;
    }
    let parameters = part.stg.parameters(terms);
    let shared: Vec<String> = parameters
        .iter()
        .map(|&it| terms.variable_text(it).to_owned())
        .collect();
    let service = part.stg.clone().renamed("service");
    let composed = among_partners(&service, &part, &shared, terms, solver, &budget);
    let Ok(AmongPartners::Composed { part: told, .. }) = composed else {
        return None;
    };
    // A service that need not guess which of two sendings it did, either.
    if is_ambiguous(&told) {
        return None;
    }
    let service = told.renamed("service");
    let composed = among_partners(&service, &part, &shared, terms, solver, &budget);
    let Ok(AmongPartners::Composed {
        stg: composed,
        part,
        ..
    }) = composed
    else {
        return None;
    };
    let runs = LocalRuns::new(stg, role, &DOMAIN, terms);
    let own = LocalRuns::new(&part, role, &DOMAIN, terms);
    assert_eq!(difference(&runs, &own, false, terms), None);
    let setup = Setup {
        shared,
        allow_fixed: false,
        most_changes: 24,
    };
    let budget = Budget::steps(20_000);
    let found =
        conformance(&composed, &part, &setup, terms, solver, &budget).expect("the solver works");
    Some(found.verdict.word())
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
        for role in stg.roles() {
            let said = conforms(&stg, role, &mut terms, &mut *solver);
            let name = terms.names.text(role.0);
            let fails = matches!(said, Some("fails" | "conditional"));
            assert!(!fails, "{name} of {text}: {said:?}");
            held += usize::from(said == Some("holds"));
        }
    }
    assert!(held > 10, "{held}");
}

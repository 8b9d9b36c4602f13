//! The part of a role has just the runs of the choreography that the role sees, by trying all values.
//!
//! `CHOROS_SEED` repeats a failure; the seed is printed.

use std::collections::VecDeque;

use choros_base::{Budget, SourceMap};
use choros_conform::{Setup, conformance};
use choros_data::{Term, Terms, Var};
use choros_model::stg::{
    Direction, Edge, Event, FieldValue, Message, Role, Stg, StgBuilder, read_stg,
};
use choros_realize::{
    AmongPartners, Projection, among_partners, knowable, part, part_of, verdict_on_service,
};
use choros_smt::Solver;
use choros_testkit::{
    LocalRuns, Random, SeenMessage, Situations, random_data_choreography, random_told_choreography,
    rounds, seed_from_env,
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
    read(random_data_choreography(random))
}

fn read(text: String) -> Case {
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

/// The first thing that a service does wrong by trying all values: it sends what the role may not send, does not take what
/// may come, or does not end where the role may.
fn wrong(
    runs: &LocalRuns<'_>,
    service: &LocalRuns<'_>,
    given: &[(Var, i64)],
    terms: &mut Terms,
) -> Option<String> {
    let start = (
        runs.start_with(given, terms),
        service.start_with(given, terms),
        Vec::new(),
    );
    let mut seen: Vec<(Situations, Situations)> = Vec::new();
    let mut work: VecDeque<(Situations, Situations, Vec<SeenMessage>)> = VecDeque::from([start]);
    while let Some((left, right, word)) = work.pop_front() {
        if seen.len() > 60 || seen.contains(&(left.clone(), right.clone())) {
            continue;
        }
        seen.push((left.clone(), right.clone()));
        // One that is ready to end earlier waits: all end together.
        if runs.may_end(&left, terms) && !service.may_end(&right, terms) {
            return Some(format!("after {word:?}: the end"));
        }
        let (allowed, done) = (runs.next(&left, terms), service.next(&right, terms));
        let is_sent = |letter: &SeenMessage| Some(letter.1) == runs.role();
        let mut extra = done.iter().filter(|it| is_sent(&it.0));
        if let Some((letter, _)) = extra.find(|it| allowed.iter().all(|its| its.0 != it.0)) {
            return Some(format!("after {word:?}: {letter:?} is sent"));
        }
        for (letter, left) in allowed {
            let Some((_, right)) = done.iter().find(|it| it.0 == letter) else {
                return Some(format!("after {word:?}: {letter:?} is missing"));
            };
            let mut word = word.clone();
            word.push(letter);
            work.push_back((left, right.clone(), word));
        }
    }
    None
}

/// The part as the role can follow it, as a service: it takes whatever value it is told.
fn service(part: &Stg, told: &[Var], terms: &mut Terms) -> Stg {
    let told: Vec<(Var, Term)> = told.iter().map(|&it| (it, terms.var(it))).collect();
    let bind = |terms: &mut Terms, edge: &Edge| {
        let mut edge = edge.clone();
        if let Event::Message(message) = &mut edge.event {
            for field in &mut message.fields {
                let is = |it: &&(Var, Term)| field.value == FieldValue::Free(it.1);
                if let Some(&(variable, _)) = told.iter().find(is)
                    && message.direction == Direction::Receive
                {
                    field.value = FieldValue::Bind(variable);
                }
            }
            let free = terms.free_variables(edge.guard);
            let mut bound = edge.event.bound_variables();
            if bound.any(|it| free.contains(&it) && told.iter().any(|told| told.0 == it)) {
                edge.guard = Term::TRUE;
            }
        }
        edge
    };
    part.map(terms, bind, |_, guard| guard).renamed("service")
}

/// A service in which one thing is otherwise: a sending without its condition, a step that leads back, a step less, or
/// one more sending of the choreography, which may be one that no run has.
fn changed(
    service: &Stg,
    (stg, role): (&Stg, Role),
    random: &mut Random,
    terms: &mut Terms,
) -> Stg {
    let sent: Vec<usize> = (0..service.edges().len()).collect();
    let at = *random.pick(&sent);
    let way = random.below(5);
    let mut builder = StgBuilder::new("service", service.ending());
    for node in service.nodes() {
        let new = builder.node(node.label.clone());
        for termination in &node.terminations {
            builder.terminate(terms, new, termination.guard, termination.origin);
        }
    }
    for (position, edge) in service.edges().iter().enumerate() {
        let mut edge = edge.clone();
        if position == at {
            match way {
                0 => continue,
                1 => edge.guard = Term::TRUE,
                2 => edge.target = edge.source,
                _ => {
                    if let Some(more) = sending((stg, role), &edge, random, terms) {
                        builder.edge(terms, more);
                    }
                }
            }
        }
        builder.edge(terms, edge);
    }
    builder.finish_as_built(service.initial())
}

/// Beside a step, a sending of the role somewhere in the choreography, with any values.
fn sending(
    (stg, role): (&Stg, Role),
    beside: &Edge,
    random: &mut Random,
    terms: &mut Terms,
) -> Option<Edge> {
    let sent: Vec<&Message> = stg.messages().filter(|it| it.from == role).collect();
    if sent.is_empty() {
        return None;
    }
    let mut message = (*random.pick(&sent)).clone();
    message.direction = Direction::Send;
    for (position, field) in message.fields.iter_mut().enumerate() {
        let sort = match field.value {
            FieldValue::Free(term) => terms.sort_of(term),
            FieldValue::Bind(variable) => terms.variable_sort(variable),
        };
        let name = terms.names.intern(&format!("more{position}"));
        field.value = FieldValue::Bind(terms.variable(name, sort));
    }
    Some(Edge {
        source: beside.source,
        target: beside.target,
        guard: Term::TRUE,
        event: Event::Message(message),
        updates: Vec::new(),
        origin: None,
    })
}

/// What is said of a service that plays a role; `None` where that is not asked.
fn said(
    service: &Stg,
    (stg, part): (&Stg, &Projection),
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Option<&'static str> {
    let given = stg.parameters(terms);
    let names = given.iter().map(|&it| terms.variable_text(it).to_owned());
    let names: Vec<String> = names.collect();
    let budget = Budget::steps(400);
    let composed = among_partners(service, part, (&names, stg), terms, solver, &budget);
    let Ok(AmongPartners::Composed {
        stg: composed,
        part,
        shared,
        told,
    }) = composed
    else {
        return None;
    };
    let setup = Setup {
        shared,
        allow_fixed: false,
        most_changes: 24,
    };
    let budget = Budget::steps(20_000);
    let found =
        conformance(&composed, &part, &setup, terms, solver, &budget).expect("the solver works");
    let verdict = verdict_on_service(found.verdict, &told, terms, solver);
    Some(verdict.expect("the solver works").word())
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
    let budget = Budget::steps(200);
    let part = part(&stg, role, &mut terms, &mut *solver, &budget).expect("it is small");
    let service = part.stg.clone().renamed("service");
    let said = said(&service, (&stg, &part), &mut terms, &mut *solver);
    assert_eq!(said, Some("holds"));
}

/// What a role believes has just the runs that it sees; a service that does that conforms, and one that by trying all
/// values does something else does not.
#[test]
fn a_service_is_judged_by_what_its_role_sees() {
    let mut random = Random::new(seed_from_env());
    let (mut held, mut failed, mut hidden) = (0, 0, 0);
    for _ in 0..rounds(60) {
        let text = if random.percent(70) {
            random_told_choreography(&mut random)
        } else {
            random_data_choreography(&mut random)
        };
        let Case {
            mut terms,
            text,
            stg,
        } = read(text);
        let mut solver = choros_smt::find().expect("tests have a solver");
        let budget = Budget::steps(400);
        for role in stg.roles() {
            let part = part_of(&stg, role, 400, &mut terms, &mut *solver, &budget);
            let Ok(part) = part else {
                continue;
            };
            let given = stg.parameters(&terms);
            let known = (&[][..], &stg);
            let any = part.stg.clone().renamed("service");
            let composed = among_partners(&any, &part, known, &mut terms, &mut *solver, &budget);
            let Ok(AmongPartners::Composed {
                part: believed,
                told,
                ..
            }) = composed
            else {
                continue;
            };
            let name = terms.names.text(role.0).to_owned();
            let runs = LocalRuns::new(&stg, role, &DOMAIN, &terms);
            let own = LocalRuns::new(&believed, role, &DOMAIN, &terms);
            let found = difference(&runs, &own, false, &mut terms);
            assert_eq!(found, None, "{name} of {text}");
            hidden += usize::from(part.stg.parameters(&terms).len() > given.len());

            let right = service(&believed, &told, &mut terms);
            let verdict = said(&right, (&stg, &part), &mut terms, &mut *solver);
            let blamed = matches!(verdict, Some("fails" | "conditional"));
            assert!(!blamed, "{name} of {text}: {verdict:?}");
            held += usize::from(verdict == Some("holds"));
            if right.edges().is_empty() {
                continue;
            }
            let other = changed(&right, (&stg, role), &mut random, &mut terms);
            let own = LocalRuns::new(&other, role, &DOMAIN, &terms);
            let runs = LocalRuns::new(&stg, role, &DOMAIN, &terms);
            let mut values: Vec<Vec<(Var, i64)>> = vec![Vec::new()];
            for &variable in &given {
                let spread = |it: Vec<(Var, i64)>| {
                    DOMAIN.map(|value| [&it[..], &[(variable, value)]].concat())
                };
                values = values.into_iter().flat_map(spread).collect();
            }
            let mut found = values.iter().map(|it| wrong(&runs, &own, it, &mut terms));
            if let Some(what) = found.find_map(|it| it) {
                let verdict = said(&other, (&stg, &part), &mut terms, &mut *solver);
                assert_ne!(verdict, Some("holds"), "{name} of {text}: {what}");
                failed += usize::from(verdict == Some("fails"));
            }
        }
    }
    assert!(
        held > 20 && failed > 10 && hidden > 15,
        "{held} {failed} {hidden}"
    );
}

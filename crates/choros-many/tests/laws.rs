//! What one session says of many is what explicit copies say, on random sessions.
//!
//! `CHOROS_SEED` repeats a failure; the seed is printed.

#![allow(
    clippy::print_stdout,
    reason = "how many were compared is worth seeing"
)]

#[allow(dead_code, reason = "each of the tests uses a part")]
mod support;

use choros_base::{Budget, Names};
use choros_check::Equivalence;
use choros_conform::{Setup, conformance};
use choros_data::{Terms, Value, Var};
use choros_many::{
    CarriesOver, CounterMachine, Coverage, Dependence, Observer, SessionsConformance, carries_over,
    conformance_of_sessions, coverage, independence, is_invariant, safe_for_any_number,
};
use choros_model::Verdict;
use choros_model::lts::{Identities, SessionsSystem, ValuedGraph, explore};
use choros_model::stg::{SessionCount, Told, fix_parameter, side_by_side};
use choros_testkit::{Random, rounds, seed_from_env};
use rustc_hash::FxHashMap;

use support::{Kind, by_id, holds, random_formula, random_session, read};

fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Holds(_) => "holds",
        Verdict::HoldsIf(..) => "conditional",
        Verdict::Fails(_) => "fails",
        Verdict::Unknown(_) => "unknown",
    }
}

const SETUP: Setup = Setup {
    shared: Vec::new(),
    allow_fixed: false,
    most_changes: 24,
};

/// Conformance of one pair is that of two explicit copies.
#[test]
fn one_conforms_iff_two_do() {
    let seed = seed_from_env();
    let mut said = FxHashMap::<&str, usize>::default();
    for round in 0..rounds(60) as u64 {
        let mut random = Random::new(seed.wrapping_add(round));
        let texts = support::two_sides(&mut random);
        let mut terms = Terms::new();
        let [left, right] = texts.clone().map(|it| read(&it, &mut terms));
        let sessions = by_id(SessionCount::Exactly(2));
        let budget = Budget::unlimited();
        let Ok(mut solver) = choros_smt::find() else {
            println!("no solver");
            return;
        };
        let both = (&left, &right);
        let found =
            conformance_of_sessions(both, &sessions, &SETUP, &mut terms, &mut *solver, &budget);
        let one = match found.expect("they can be compared") {
            SessionsConformance::Any(one) => word(&one.verdict),
            SessionsConformance::Disturbed(_) | SessionsConformance::Together(_) => {
                *said.entry("together").or_default() += 1;
                continue;
            }
        };
        let copies = [&left, &right].map(|it| {
            side_by_side(it, &sessions, Told::ByMessages, &budget, &mut terms).expect("two fit")
        });
        let whole = conformance(
            &copies[0],
            &copies[1],
            &SETUP,
            &mut terms,
            &mut *solver,
            &budget,
        );
        let whole = word(&whole.expect("they can be compared").verdict);
        if one != "unknown" && whole != "unknown" {
            assert_eq!(one, whole, "seed {seed}, round {round}: {texts:?}");
        }
        *said.entry(one).or_default() += 1;
    }
    println!("seed {seed}: {said:?}");
    assert!(said["holds"] > 5 && said["fails"] > 5, "{said:?}");
}

/// Each side condition has models that violate it, and they are refused.
#[test]
fn a_violated_side_condition_is_named() {
    let seed = seed_from_env();
    for round in 0..rounds(100) as u64 {
        let mut random = Random::new(seed.wrapping_add(round));
        let mut terms = Terms::new();
        for kind in Kind::ALL {
            let text = random_session(&mut random, kind);
            let stg = read(&text, &mut terms);
            let mut sessions = by_id(SessionCount::Any);
            match kind {
                Kind::Shared => sessions.shared.push("s".to_owned()),
                Kind::Nameless => sessions.identity = None,
                _ => {}
            }
            let found = independence(&stg, &sessions, &terms);
            let expected = match kind {
                Kind::Independent => {
                    assert!(
                        found.holds(),
                        "seed {seed}, round {round}: {text} {found:?}"
                    );
                    continue;
                }
                Kind::Shared => Dependence::SharedVariable("s".to_owned()),
                Kind::Nameless => Dependence::NoIdentity,
                Kind::WithoutIdentity => Dependence::WithoutIdentity("Last".to_owned()),
                Kind::OtherValue => Dependence::OtherValue("Last".to_owned()),
                Kind::Rebound => Dependence::ReboundIdentity("id".to_owned()),
            };
            let place = format!("seed {seed}, round {round}: {text} {found:?}");
            assert!(found.broken.contains(&expected), "{place}");
        }
    }
}

/// A formula about one session holds of it among others iff it holds of it alone, where that is claimed.
#[test]
fn formulas_carry_over() {
    let seed = seed_from_env();
    let (mut yes, mut no, mut left) = (0, 0, 0);
    for round in 0..rounds(300) as u64 {
        let mut random = Random::new(seed.wrapping_add(round));
        let text = random_session(&mut random, Kind::Independent);
        let mut terms = Terms::new();
        let stg = read(&text, &mut terms);
        let sessions = by_id(SessionCount::Exactly(2));
        let budget = Budget::unlimited();
        let both = side_by_side(&stg, &sessions, Told::ByMessages, &budget, &mut terms);
        let both = both.expect("two fit");
        let formula = random_formula(&mut random, 3);
        let mut names = Names::new();
        let parsed = support::formula(&formula, "", &mut names);
        if carries_over(&parsed, &names, &stg) != CarriesOver::Yes {
            left += 1;
            continue;
        }
        let domains = support::domains(&[&stg, &both], &terms);
        let mut alone = ValuedGraph::new(&stg, &terms, domains.clone()).expect("its data are few");
        let mut among = ValuedGraph::new(&both, &terms, domains).expect("their data are few");
        let one = holds(&mut alone, &formula, "");
        let other = holds(&mut among, &formula, "_1");
        assert_eq!(
            one, other,
            "seed {seed}, round {round}: {formula} of {text}"
        );
        yes += usize::from(one);
        no += usize::from(!one);
    }
    println!("seed {seed}: {yes} hold, {no} fail, {left} do not carry over");
    assert!(yes > 10 && no > 10);
}

fn shared(stg: &choros_model::stg::Stg, terms: &Terms) -> Vec<Var> {
    let is_shared = |it: &Var| terms.variable_text(*it) == "s";
    stg.variables(terms).into_iter().filter(is_shared).collect()
}

/// Sessions up to their order do what explicit copies do, and are fewer.
#[test]
fn order_does_not_matter() {
    let seed = seed_from_env();
    let (mut few, mut many) = (0, 0);
    for round in 0..rounds(40) as u64 {
        let mut random = Random::new(seed.wrapping_add(round));
        let text = random_session(&mut random, Kind::Shared);
        let mut terms = Terms::new();
        let stg = read(&text, &mut terms);
        let count = 1 + random.below(3) as u32;
        let mut sessions = by_id(SessionCount::Exactly(count));
        sessions.shared.push("s".to_owned());
        let first = random.below(3) as i64;
        let variables = shared(&stg, &terms);
        let budget = Budget::unlimited();
        let both = side_by_side(&stg, &sessions, Told::Never, &budget, &mut terms);
        let mut both = both.expect("they fit");
        let mut initial = Vec::new();
        for &variable in &variables {
            let value = terms.int(first);
            both = fix_parameter(&both, variable, value, &mut terms);
            initial.push((variable, Value::int(first)));
        }
        let domains = support::domains(&[&stg, &both], &terms);
        let mut naive = ValuedGraph::new(&both, &terms, domains.clone()).expect("data are few");
        let place = format!("seed {seed}, round {round}: {count} of {text}");
        for identities in [Identities::Free, Identities::Open] {
            let each = (&sessions, count);
            let system =
                SessionsSystem::new(&stg, &terms, domains.clone(), each, &initial, identities);
            let mut system = system.unwrap_or_else(|open| panic!("{place}: {open:?}"));
            let found = explore(&mut system, &budget).lts;
            let expected = explore(&mut naive, &budget).lts;
            let sizes = [&found, &expected].map(|it| it.counts().states);
            assert!(sizes[0] <= sizes[1], "{place}: {sizes:?}");
            few += sizes[0];
            many += sizes[1];
            let classes = [&found, &expected].map(|it| {
                let least = choros_check::minimize(it, Equivalence::Strong).expect("all of it");
                (least.counts().states, least.counts().transitions)
            });
            assert_eq!(classes[0], classes[1], "{place}");
        }
        for _ in 0..4 {
            let formula = random_formula(&mut random, 3);
            let each = (&sessions, count);
            let system = SessionsSystem::new(
                &stg,
                &terms,
                domains.clone(),
                each,
                &initial,
                Identities::Open,
            );
            let mut system = system.unwrap_or_else(|open| panic!("{place}: {open:?}"));
            let found = holds(&mut system, &formula, "");
            assert_eq!(found, holds(&mut naive, &formula, ""), "{formula}, {place}");
        }
    }
    println!("seed {seed}: {few} states in place of {many}");
}

/// What is shown for any number of sessions holds for each number, and its invariant is checked by itself.
#[test]
fn what_holds_for_any_number_holds_for_each() {
    let seed = seed_from_env();
    let (mut shown, mut open, mut fails, mut damaged) = (0, 0, 0, 0);
    for round in 0..rounds(250) as u64 {
        let mut random = Random::new(seed.wrapping_add(round));
        let text = random_session(&mut random, Kind::Shared);
        let mut terms = Terms::new();
        let stg = read(&text, &mut terms);
        let mut sessions = by_id(SessionCount::Any);
        sessions.shared.push("s".to_owned());
        let first = random.below(3) as i64;
        let variables = shared(&stg, &terms);
        let initial: Vec<(Var, Value)> = variables
            .iter()
            .map(|&it| (it, Value::int(first)))
            .collect();
        let formula = support::random_safety(&mut random);
        let mut names = Names::new();
        let parsed = support::formula(&formula, "", &mut names);
        let budget = Budget::unlimited();
        let found = safe_for_any_number(
            &stg,
            &sessions,
            &initial,
            (&parsed, &names),
            &terms,
            &budget,
        );
        let domains = support::domains(&[&stg], &terms);
        let place = format!("seed {seed}, round {round}: {formula} of {text} with {first}");
        let each = (1..=4).all(|count| {
            let each = (&sessions, count);
            let system = SessionsSystem::new(
                &stg,
                &terms,
                domains.clone(),
                each,
                &initial,
                Identities::Open,
            );
            let mut system = system.unwrap_or_else(|open| panic!("{place}: {open:?}"));
            holds(&mut system, &formula, "")
        });
        match found {
            Ok(_) => {
                assert!(each, "{place}");
                shown += 1;
            }
            Err(_) if each => open += 1,
            Err(_) => fails += 1,
        }
        let observer = Observer::of(&parsed).expect("a safety formula");
        let about = (&names, &terms);
        let machine = CounterMachine::of(&stg, &sessions, &initial, &observer, about);
        if let Ok(Coverage::Safe(forbidden)) = coverage(&machine, &budget) {
            assert!(is_invariant(&machine, &forbidden), "{place}");
            for position in 0..forbidden.len() {
                let mut less = forbidden.clone();
                less.remove(position);
                // Each of them is needed: they are the least ones.
                assert!(!is_invariant(&machine, &less), "{place}");
                damaged += 1;
            }
        }
    }
    println!(
        "seed {seed}: {shown} shown, {open} hold as far as tried, {fails} fail, {damaged} refused"
    );
    assert!(shown > 20 && fails > 20);
}

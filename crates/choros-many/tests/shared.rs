//! What is said of any number of sessions that share something is what two explicit copies do, on random sessions.
//!
//! `CHOROS_SEED` repeats a failure; the seed is printed.

#![allow(
    clippy::print_stdout,
    reason = "how many were compared is worth seeing"
)]

#[allow(dead_code, reason = "each of the tests uses a part")]
mod support;

use choros_base::Budget;
use choros_check::{Equivalence, minimize};
use choros_conform::{Setup, conformance};
use choros_data::{Terms, Value};
use choros_many::{
    SessionsConformance, SessionsRealizability, conformance_of_sessions, realizability_of_sessions,
};
use choros_model::Verdict;
use choros_model::lts::{ValuedGraph, explore};
use choros_model::stg::{
    Role, SessionCount, Sessions, Told, parts_side_by_side, side_by_side, told_apart,
};
use choros_realize::{Closing, Criterion, Effort, Mode, Question, realizability};
use choros_testkit::{Random, rounds, seed_from_env};

use support::{Kind, by_id, holds, random_session, read};

fn sharing(count: u32) -> Sessions {
    Sessions {
        shared: vec!["s".to_owned()],
        ..by_id(SessionCount::Exactly(count))
    }
}

/// Two sides without loops, of which the second often says the same in other words, or something else once.
fn two_sides(random: &mut Random) -> [String; 2] {
    let one = random_kept(random);
    let other = match random.below(5) {
        0 => random_kept(random),
        1 => one.replace("[s >= 1]", "[not s < 1]"),
        2 => one.replace("[s < 1]", "[s <= 0]"),
        3 => one.replacen("s := s - 1", "s := s - 2", 1),
        _ => one.replacen("[s >= 1] ", "", 1),
    };
    [one, other.replace("stg session", "stg other")]
}

/// More steps than this are not taken by a comparison.
const STEPS: u64 = 2_000;

/// Conformance among others that interfere is conformance of two explicit copies, with marked messages and without.
#[test]
fn one_that_is_disturbed_conforms_with_others() {
    let seed = seed_from_env();
    let setup = Setup {
        shared: vec!["s".to_owned()],
        allow_fixed: false,
        most_changes: 24,
    };
    let (mut shown, mut left) = (0, 0);
    for round in 0..rounds(30) as u64 {
        let mut random = Random::new(seed.wrapping_add(round));
        let texts = two_sides(&mut random);
        let mut terms = Terms::new();
        let [left_side, right_side] = texts.clone().map(|it| read(&it, &mut terms));
        let budget = Budget::unlimited();
        let some = || Budget::steps(STEPS);
        let Ok(mut solver) = choros_smt::find() else {
            println!("no solver");
            return;
        };
        let both = (&left_side, &right_side);
        let sessions = sharing(2);
        let found =
            conformance_of_sessions(both, &sessions, &setup, &mut terms, &mut *solver, &some());
        let SessionsConformance::Disturbed(_) = found.expect("they can be compared") else {
            left += 1;
            continue;
        };
        let told = if random.percent(50) {
            Told::Never
        } else {
            Told::ByMessages
        };
        let copies = [&left_side, &right_side]
            .map(|it| side_by_side(it, &sessions, told, &budget, &mut terms).expect("two fit"));
        let whole = conformance(
            &copies[0],
            &copies[1],
            &setup,
            &mut terms,
            &mut *solver,
            &some(),
        );
        let verdict = whole.expect("they can be compared").verdict;
        assert!(
            matches!(verdict, Verdict::Holds(_) | Verdict::Unknown(_)),
            "seed {seed}, round {round}, {told:?}: {texts:?}: {verdict:?}"
        );
        shown += 1;
    }
    println!("seed {seed}: {shown} shown, {left} left to all together");
    assert!(shown > 5 && left > 5);
}

/// What a message does to the store: what it asks for, and how it changes it.
const TOUCHES: [(&str, &str); 5] = [
    ("", ""),
    ("s >= 1", " / s := s - 1"),
    ("s < 1", ""),
    ("", " / s := s + 1"),
    ("s >= 1", ""),
];

/// A session without loops, whose messages mostly do the same to the store wherever they are exchanged.
fn random_kept(random: &mut Random) -> String {
    let operations = ["Ask", "Bid", "Cut", "Due", "Eat"];
    let senders = operations.map(|_| if random.percent(75) { "b,a" } else { "a,b" });
    let touches = operations.map(|_| TOUCHES[random.below(TOUCHES.len())]);
    let mut lines = vec!["0 -> 1: Begin[a,b].(id = <id>)".to_owned()];
    let nodes = 2 + random.below(3);
    for node in 1..=nodes {
        for _ in 0..=random.below(2) {
            let operation = random.below(operations.len());
            let target = node + 1 + random.below(nodes + 1 - node);
            let (mut asks, does) = touches[operation];
            if random.percent(5) {
                asks = "s >= 2";
            }
            let guard = if asks.is_empty() {
                String::new()
            } else {
                format!("[{asks}] ")
            };
            let (name, ends) = (operations[operation], senders[operation]);
            lines.push(format!(
                "{node} -> {target}: {guard}{name}[{ends}].(id = id){does}"
            ));
        }
    }
    lines.push(format!("{}: end", nodes + 1));
    format!("stg session explicit\ninitial 0\n{}\n", lines.join("\n"))
}

/// Where one session is realizable without the store that a role keeps, two explicit copies with it are not refuted.
#[test]
fn sessions_with_a_store_are_realizable() {
    let seed = seed_from_env();
    let (mut shown, mut left) = (0, 0);
    for round in 0..rounds(150) as u64 {
        let mut random = Random::new(seed.wrapping_add(round));
        let text = random_kept(&mut random);
        let mut terms = Terms::new();
        let stg = read(&text, &mut terms);
        let sessions = sharing(2);
        let budget = Budget::unlimited();
        let Ok(mut solver) = choros_smt::find() else {
            println!("no solver");
            return;
        };
        let mode = if random.percent(70) {
            Mode::Synchronous
        } else {
            Mode::Sender
        };
        let services = ["a", "b"].map(|it| Role(terms.names.intern(it)));
        let closing = match random.below(3) {
            0 => Closing::Together,
            1 => Closing::Alone {
                services: Vec::new(),
            },
            _ => Closing::Alone {
                services: services.to_vec(),
            },
        };
        let asked = Question {
            mode,
            criterion: Criterion::Semantic,
            repair: false,
            closing,
            effort: Effort {
                bound: 4,
                states: 100_000,
            },
        };
        let found =
            realizability_of_sessions(&stg, &sessions, &asked, &mut terms, &mut *solver, &budget);
        let place = format!("seed {seed}, round {round}, {mode:?}: {text}");
        let Ok(SessionsRealizability::Kept(one)) = found else {
            left += 1;
            continue;
        };
        assert!(matches!(one.semantic.verdict, Verdict::Holds(_)), "{place}");
        let both = side_by_side(&stg, &sessions, sessions.told(), &budget, &mut terms);
        let both = both.expect("two fit");
        let Ok(whole) = realizability(&both, &asked, &mut terms, &mut *solver, &budget) else {
            panic!("{place}");
        };
        let verdict = whole.semantic.verdict;
        assert!(
            matches!(verdict, Verdict::Holds(_) | Verdict::Unknown(_)),
            "{place}: {verdict:?}"
        );
        shown += 1;
    }
    println!("seed {seed}: {shown} shown, {left} left to all together");
    assert!(shown > 5 && left > 5);
}

/// Sessions that begin in their order do what sessions do in any order; no label says which of them it is.
#[test]
fn who_begins_first_does_not_matter() {
    let seed = seed_from_env();
    let (mut few, mut many) = (0, 0);
    for round in 0..rounds(40) as u64 {
        let mut random = Random::new(seed.wrapping_add(round));
        let text = random_session(&mut random, Kind::Independent);
        let mut terms = Terms::new();
        let stg = read(&text, &mut terms);
        let sessions = by_id(SessionCount::Exactly(1 + random.below(3) as u32));
        let budget = Budget::unlimited();
        let in_order = parts_side_by_side(&stg, &stg, &sessions, &budget, &mut terms);
        let in_order = in_order.expect("they fit");
        let anyhow = side_by_side(&stg, &sessions, Told::Never, &budget, &mut terms);
        let anyhow = anyhow.expect("they fit");
        let domains = support::domains(&[&in_order, &anyhow], &terms);
        let sizes = [&in_order, &anyhow].map(|it| {
            let mut valued = ValuedGraph::new(it, &terms, domains.clone()).expect("data are few");
            let all = explore(&mut valued, &budget).lts;
            let least = minimize(&all, Equivalence::Strong).expect("all of it");
            (
                all.counts().states,
                least.counts().states,
                least.counts().transitions,
            )
        });
        let place = format!("seed {seed}, round {round}: {text}");
        assert!(sizes[0].0 <= sizes[1].0, "{place}");
        assert_eq!(
            (sizes[0].1, sizes[0].2),
            (sizes[1].1, sizes[1].2),
            "{place}"
        );
        few += sizes[0].0;
        many += sizes[1].0;
    }
    println!("seed {seed}: {few} states in place of {many}");
    assert!(few < many);
}

/// No run brings an identity that another session has.
#[test]
fn identities_are_told_apart() {
    let mut terms = Terms::new();
    let text = "stg session explicit\ninitial 0\n0 -> 1: Begin[a,b].(id = <id>)\n\
                1 -> 2: Last[b,a].(id = id)\n2: end\n";
    let stg = read(text, &mut terms);
    let sessions = by_id(SessionCount::Exactly(2));
    let budget = Budget::unlimited();
    let both = side_by_side(&stg, &sessions, Told::Never, &budget, &mut terms);
    let apart = told_apart(&both.expect("two fit"), &sessions, &mut terms);
    let mut domains = rustc_hash::FxHashMap::default();
    for edge in apart.edges() {
        let two = || vec![Value::int(0), Value::int(1)];
        domains.extend(edge.event.bound_variables().map(|it| (it, two())));
    }
    let mut valued = ValuedGraph::new(&apart, &terms, domains).expect("data are few");
    for (formula, expected) in [
        ("EF {Begin(0)} EF {Begin(1)} true", true),
        ("EF {Begin(0)} EF {Begin(0)} true", false),
        ("EF {Begin(0)} EF {Last(0)} EF {Begin(0)} true", false),
    ] {
        assert_eq!(holds(&mut valued, formula, ""), expected, "{formula}");
    }
}

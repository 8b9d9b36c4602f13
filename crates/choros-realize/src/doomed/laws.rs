//! What is called doomed fails when it is tried: random choreographies with and without data, with one or two messages
//! inserted anywhere.
//!
//! `CHOROS_SEED` repeats a failure; the seed is printed.

use choros_base::{Budget, SourceMap};
use choros_data::Terms;
use choros_model::Verdict;
use choros_model::stg::{Role, Stg, read_stg, write_stg};
use choros_testkit::{Random, rounds, seed_from_env};

use super::Doom;
use crate::semantic::trial;
use crate::tools::Tools;
use crate::{Closing, Criterion, Effort, Mode, Question, Repair};

#[test]
fn what_is_doomed_fails() {
    let seed = seed_from_env();
    let (mut sealed, mut failed) = (0, 0);
    for round in 0..rounds(60) as u64 {
        let mut random = Random::new(seed.wrapping_add(round));
        let mut terms = Terms::new();
        let mut solver = choros_smt::find().expect("the tests need a solver");
        let text = random_text(&mut random);
        let file = SourceMap::new().add("random.stg", text.as_str());
        let (stg, mistakes) = read_stg(file, &text, &mut terms);
        assert!(mistakes.is_empty(), "{text}{mistakes:?}");
        let with = with_more(&stg, &mut random, &mut terms);
        let mode = *random.pick(&[
            Mode::Synchronous,
            Mode::Sender,
            Mode::Receiver,
            Mode::Disjoint,
        ]);
        let asked = Question {
            mode,
            criterion: Criterion::Semantic,
            repair: false,
            closing: random_closing(&stg, &mut random),
            effort: Effort {
                bound: 3,
                states: 20_000,
            },
        };
        let doom = Doom::of(&stg, &asked, &terms).expect("only messages");
        let is_sealed = doom.is_sealed(&with, &terms);
        let budget = Budget::unlimited();
        let mut tools = Tools {
            terms: &mut terms,
            solver: &mut *solver,
            budget: &budget,
        };
        let found = trial(&stg, &with, &asked, &mut tools).expect("the solver answers");
        let place = format!(
            "seed {seed}, round {round}, {mode:?}, {:?}\n{text}{}",
            asked.closing,
            write_stg(&with, &terms)
        );
        assert!(!is_sealed || !found.holds(), "{place}");
        sealed += u64::from(is_sealed);
        failed += u64::from(matches!(found.verdict, Verdict::Fails(_)));
    }
    assert!(
        sealed * 2 > failed,
        "seed {seed}: {sealed} of {failed} that fail"
    );
}

fn with_more(stg: &Stg, random: &mut Random, terms: &mut Terms) -> Stg {
    let mut with = Repair::nothing(stg, terms);
    for _ in 0..random.below(3) {
        let more = with.with_one_more();
        with = with.and(random.pick(&more), terms);
    }
    with.stg
}

fn random_closing(stg: &Stg, random: &mut Random) -> Closing {
    let roles = stg.roles();
    let services: Vec<Role> = roles.into_iter().filter(|_| random.percent(40)).collect();
    if random.percent(40) {
        Closing::Together
    } else {
        Closing::Alone { services }
    }
}

/// A graph whose nodes are all reached; some messages bring a truth value, and some steps and ends depend on it.
fn random_text(random: &mut Random) -> String {
    let count = 2 + random.below(4);
    let mut ends: Vec<(usize, usize)> = (1..count).map(|to| (random.below(to), to)).collect();
    for _ in 0..random.below(3) {
        ends.push((random.below(count), random.below(count)));
    }
    let with_data = random.percent(50);
    let mut text = "stg random explicit\ninitial 9\n".to_owned();
    // The value is there before anything depends on it.
    let data = if with_data { ".<x>" } else { "" };
    text.push_str(&format!("9 -> 0: first[a,b]{data}\n"));
    let guard = |random: &mut Random| {
        if with_data && random.percent(40) {
            *random.pick(&["[x > 0] ", "[x <= 0] "])
        } else {
            ""
        }
    };
    for (number, &(source, target)) in ends.iter().enumerate() {
        let from = random.below(3);
        let to = (from + 1 + random.below(2)) % 3;
        let [from, to] = [from, to].map(|role| ["a", "b", "c"][role]);
        let kind = if random.percent(70) { number } else { 0 };
        let guard = guard(random);
        text.push_str(&format!(
            "{source} -> {target}: {guard}m{kind}[{from},{to}]\n"
        ));
    }
    for node in 0..count {
        let is_left = ends.iter().any(|&(source, _)| source == node);
        if !is_left {
            text.push_str(&format!("{node}: end\n"));
        } else if random.percent(20) {
            let guard = guard(random);
            text.push_str(&format!("{node}: end {guard}\n"));
        }
    }
    text
}

//! Trees in which nodes that are alike are one against those in which they are not, on random parallel branches.

mod common;

use choros_symex::{Candidates, CoverageCriterion, Part, Selection, Tree, select};
use choros_testkit::{Random, seed_from_env};
use common::{Case, case_of, sizes};

/// One step of a branch: a guard, an event and assignments; `#` is the number of the branch.
const STEPS: [&str; 13] = [
    "tau.<v#>",
    "tau / v# := x",
    "tau / v# := v# + 1",
    "tau",
    "[v# > 0] tau",
    "[v# <= 0] tau / v# := 0",
    "tau / s := s + v#",
    "tau / s := 2 * s",
    "o#[M,USER]!v#",
    "tell[M,USER]!v#",
    "tell[M,USER]!x",
    "i#[USER,M]?<v#>",
    "more[USER,M]?<v#>",
];

/// Branches side by side: all their interleavings, as a graph; some take a unit of time.
fn parallel(random: &mut Random) -> String {
    let branches: Vec<Vec<String>> = (0..random.between(2, 3))
        .map(|branch| {
            (0..random.between(1, 3))
                .map(|_| random.pick(&STEPS).replace('#', &branch.to_string()))
                .collect()
        })
        .collect();
    let mut text =
        "stg parallel stopped\nvariables x: Int, s: Int, v0: Int, v1: Int, v2: Int\ninitial 0\n\
                    0 -> 2: in[USER,M]?<x> / v0 := 0; v1 := 1; v2 := x; s := 1\n"
            .to_owned();
    let ticks = random.percent(30);
    let mut states = vec![vec![0; branches.len()]];
    let mut next = 0;
    while next < states.len() {
        let (at, number) = (states[next].clone(), next + 2);
        next += 1;
        for (branch, steps) in branches.iter().enumerate() {
            let Some(step) = steps.get(at[branch]) else {
                continue;
            };
            let mut after = at.clone();
            after[branch] += 1;
            let known = states.iter().position(|it| *it == after);
            let target = 2 + known.unwrap_or(states.len());
            if known.is_none() {
                states.push(after);
            }
            text.push_str(&format!("{number} -> {target}: {step}\n"));
        }
        if ticks && at.iter().sum::<usize>() == 2 {
            text.push_str(&format!("{number} -> {number}: tick\n"));
        }
    }
    // The last state is that in which all branches have ended.
    let last = states.len() + 1;
    text.push_str(&format!("{last} -> 1: done[M,USER]!(x, s)\n1: end\n"));
    text
}

/// A suite as its tests read, with the symbols of each numbered in the order in which they are met.
fn text_of(selection: &Selection, tree: &Tree, case: &Case) -> Vec<String> {
    let tests = selection.tests.iter().map(|test| {
        let mut known: Vec<String> = Vec::new();
        let mut events: Vec<String> = Vec::new();
        for step in test.steps.iter().filter(|it| it.label.counts()) {
            let part = match step.part {
                Part::Stimulus => "sends",
                Part::Observation => "awaits",
                Part::Time | Part::Hidden => "",
            };
            let data = step.label.message().map(|message| {
                let values = message.fields.iter().map(|it| case.terms.print(it.value));
                format!(
                    "{} {}",
                    message.head.text(&case.terms),
                    values.collect::<Vec<_>>().join(", ")
                )
            });
            let data = data.unwrap_or_else(|| step.label.text(&case.terms));
            events.push(format!("{part} {}", renamed(&data, &mut known)));
        }
        let conditions = tree.solved_condition(test.end).into_iter();
        let conditions = conditions.map(|it| renamed(&case.terms.print(it), &mut known));
        let mut conditions: Vec<String> = conditions.collect();
        conditions.sort();
        conditions.dedup();
        format!(
            "{} | {} | {}",
            events.join("; "),
            conditions.join(" and "),
            test.terminating
        )
    });
    tests.collect()
}

fn renamed(text: &str, known: &mut Vec<String>) -> String {
    let mut result = String::new();
    let mut word = String::new();
    for letter in text.chars().chain([' ']) {
        if letter.is_ascii_alphanumeric() {
            word.push(letter);
            continue;
        }
        if word.starts_with("vs") {
            let position = known.iter().position(|it| *it == word).unwrap_or_else(|| {
                known.push(word.clone());
                known.len() - 1
            });
            word = format!("x{position}");
        }
        result.push_str(&word);
        word.clear();
        result.push(letter);
    }
    result
}

#[test]
fn merging_changes_no_suite() {
    let seed = seed_from_env();
    let mut random = Random::new(seed);
    let mut merged = 0;
    for round in 0..60 {
        let text = parallel(&mut random);
        let context = format!("seed {seed}, round {round}:\n{text}");
        let mut case = case_of(&text);
        let depth = random.between(3, 9) as u32;
        let (whole, small) = (case.tree(depth, false), case.merged_tree(depth));
        merged += small.joins.len();
        assert_eq!(sizes(&whole), sizes(&small), "{context}");
        assert_eq!(whole.is_complete(), small.is_complete(), "{context}");
        let played = [case.interface.user];
        for criterion in [
            CoverageCriterion::States,
            CoverageCriterion::Transitions,
            CoverageCriterion::Branches,
            CoverageCriterion::Paths,
        ] {
            let candidates = Candidates {
                only_terminating: false,
                incomplete: random.percent(50),
                only_accepted: false,
                played: &played,
            };
            let of = |tree: &Tree, case: &mut Case| {
                let found = select(&case.graph, tree, criterion, candidates, &mut case.terms);
                let text = text_of(&found, tree, case);
                let growth = match criterion {
                    CoverageCriterion::Paths => Vec::new(),
                    _ => found.growth,
                };
                (
                    text,
                    found.items,
                    found.infeasible,
                    found.missing.len(),
                    growth,
                )
            };
            let (expected, made) = (of(&whole, &mut case), of(&small, &mut case));
            assert_eq!(expected, made, "{criterion:?}, depth {depth}, {context}");
        }
    }
    assert!(merged > 100, "seed {seed}: only {merged} nodes were merged");
}

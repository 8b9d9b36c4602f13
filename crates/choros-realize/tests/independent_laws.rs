//! Two conversations beside each other can be realised iff each can, on random choreographies.
//!
//! Both share roles where messages do not meet in queues, and none otherwise.
//! `CHOROS_SEED` repeats a failure; the seed is printed.

#![allow(
    clippy::print_stdout,
    reason = "how many were compared is worth seeing"
)]

mod support;

use choros_base::{Budget, SourceMap};
use choros_data::Terms;
use choros_model::stg::{Operation, Renaming, Stg, product, read_stg, rename, write_stg};
use choros_realize::{Closing, Mode, project};
use choros_testkit::{Random, Shape, random_choreography, rounds, seed_from_env};

use support::ask::{MODES, ask, closing, judge, question, random_closing, solver, word};
use support::ground;
use support::naive::{self, Answer, Graph, realizable};
use support::random_graph::{random_graph, stg};

#[test]
fn two_beside_each_other_hold_iff_each_does() {
    let seed = seed_from_env();
    let (mut holds, mut fails) = (0, 0);
    for round in 0..rounds(150) as u64 {
        let mut random = Random::new(seed.wrapping_add(round));
        let one = random_graph(&mut random, 4);
        let other = random_graph(&mut random, 4);
        let closing = random_closing(&mut random, 8, 25, 40);
        for (mode, twin) in MODES {
            if mode == Mode::Disjoint {
                continue;
            }
            let shift = match mode {
                Mode::Synchronous => 0,
                _ => one.roles,
            };
            let other = shifted(&other, shift);
            // Where one never ends, when the other does cannot be seen, and they are judged together.
            if !can_always_end(&one) || !can_always_end(&other) {
                continue;
            }
            let each = [&one, &other].map(|it| realizable(it, it, twin, &closing));
            let expected = match each {
                [Answer::Fails, Answer::Fails | Answer::Holds] | [Answer::Holds, Answer::Fails] => {
                    "fails"
                }
                [Answer::Holds, Answer::Holds] => "holds",
                _ => continue,
            };
            let whole = beside(&one, &other);
            let found = word(&judge(&whole, mode, &closing, naive::BOUND));
            assert_eq!(
                found, expected,
                "seed {seed}, round {round}, {mode:?}, {closing:?}: {one:?} beside {other:?}"
            );
            holds += usize::from(expected == "holds");
            fails += usize::from(expected == "fails");
        }
    }
    println!("seed {seed}: {holds} hold, {fails} fail");
    assert!(holds > 5 && fails > 50, "{holds} hold, {fails} fail");
}

/// Where roles are shared, messages of both meet in queues, and two that hold may fail beside each other; what is said
/// of them has to be true of the whole.
#[test]
fn two_that_share_queues_are_judged_as_the_whole() {
    let seed = seed_from_env();
    let (mut holds, mut fails, mut apart) = (0, 0, 0);
    for round in 0..rounds(25) as u64 {
        let mut random = Random::new(seed.wrapping_add(round));
        let one = random_graph(&mut random, 4);
        let other = shifted(&random_graph(&mut random, 4), 0);
        let closing = random_closing(&mut random, 4, 0, 60);
        for (mode, twin) in MODES {
            let each = [&one, &other].map(|it| realizable(it, it, twin, &closing));
            let whole = beside(&one, &other);
            let expected = realizable(&whole, &whole, twin, &closing);
            let found = word(&judge(&whole, mode, &closing, naive::BOUND));
            let place = format!(
                "seed {seed}, round {round}, {mode:?}, {closing:?}: {one:?} beside {other:?}"
            );
            match found {
                "holds" => assert_ne!(expected, Answer::Fails, "{place}"),
                "fails" => assert_ne!(expected, Answer::Holds, "{place}"),
                _ => assert_eq!(expected, Answer::Cut, "{place}"),
            }
            holds += usize::from(found == "holds");
            fails += usize::from(found == "fails");
            apart += usize::from(each == [Answer::Holds; 2] && expected == Answer::Fails);
        }
    }
    println!("seed {seed}: {holds} hold, {fails} fail, {apart} although each part holds");
    assert!(holds > 3 && fails > 20, "{holds} hold, {fails} fail");
}

/// With data, where both ends meet; roles are shared.
#[test]
fn two_with_data_hold_iff_each_does() {
    let seed = seed_from_env();
    let (mut holds, mut fails) = (0, 0);
    for round in 0..rounds(40) as u64 {
        let mut random = Random::new(seed.wrapping_add(round));
        let mut terms = Terms::new();
        let trees = ["", "_too"].map(|ending| {
            let shape = Shape {
                states: 2 + random.below(4),
                branches: 1 + random.below(2),
                roles: 2,
                operations: 4,
                data_level: random.below(3),
                contradictions: 10,
            };
            let made =
                random_choreography(shape, seed.wrapping_add(2 * round) + ending.len() as u64);
            under_other_names(&write_stg(&made.stg, &made.terms), ending, &mut terms)
        });
        let both: Vec<&Stg> = trees.iter().collect();
        let product = product("both", &both, &Budget::unlimited(), &mut terms);
        let whole = product.expect("an unlimited budget").stg;
        let mut solver = solver();
        let asked = question(Mode::Synchronous, Closing::Together, naive::BOUND);
        let words = [&trees[0], &trees[1], &whole]
            .map(|it| word(&ask(it, &asked, &mut terms, &mut *solver)));
        let [one, other, both] = words;
        let expected = match (one, other) {
            ("fails", "fails" | "holds") | ("holds", "fails") => "fails",
            ("holds", "holds") => "holds",
            _ => continue,
        };
        assert_eq!(both, expected, "seed {seed}, round {round}: {trees:?}");
        holds += usize::from(expected == "holds");
        fails += usize::from(expected == "fails");
    }
    println!("seed {seed}: {holds} hold, {fails} fail");
    assert!(holds > 0 && fails > 5, "{holds} hold, {fails} fail");
}

/// Beside a part that its data may keep from ending, and that continues without some role, another part has to be judged
/// in the whole: a role that could stay where its own part has ended is left behind.
#[test]
fn what_data_keep_from_ending_is_judged_with_the_whole() {
    let seed = seed_from_env();
    let (mut holds, mut fails, mut apart) = (0, 0, 0);
    for round in 0..rounds(15) as u64 {
        let mut random = Random::new(seed.wrapping_add(round));
        let mut terms = Terms::new();
        let mut solver = solver();
        let one = parted_by_data(&mut random);
        let one = under_other_names(&one, "_too", &mut terms);
        let other = stg(&random_graph(&mut random, 3), &mut terms);
        let closing = closing(&random_closing(&mut random, 4, 20, 70), &mut terms);
        let both = [&one, &other];
        let product = product("both", &both, &Budget::unlimited(), &mut terms);
        let whole = product.expect("an unlimited budget").stg;
        for (mode, _) in MODES {
            let asked = question(mode, closing.clone(), ground::BOUND);
            let [one, other, found] =
                [&one, &other, &whole].map(|it| ask(it, &asked, &mut terms, &mut *solver));
            let projections = project(
                &found.reachable,
                mode,
                &mut terms,
                &mut *solver,
                &Budget::unlimited(),
            );
            let projections = projections.expect("the solver answers");
            let expected = match ground::realizable(&whole, &projections, mode, &closing, &terms) {
                Answer::Holds => "holds",
                Answer::Fails => "fails",
                Answer::Cut => continue,
            };
            let said = word(&found);
            assert!(
                said == expected || said == "unknown",
                "seed {seed}, round {round}, {mode:?}, {closing:?}: {said} ({}), the twin: {expected}\n{}",
                found.semantic.reason,
                write_stg(&whole, &terms)
            );
            holds += usize::from(said == "holds");
            fails += usize::from(said == "fails");
            let each = [word(&one), word(&other)];
            apart += usize::from(each == ["holds"; 2] && said == "fails");
        }
    }
    println!("seed {seed}: {holds} hold, {fails} fail, {apart} although each part holds");
    assert!(holds > 0 && fails > 5, "{holds} hold, {fails} fail");
}

/// A conversation that a value sends round forever, or keeps from its end.
fn parted_by_data(random: &mut Random) -> String {
    let mut pair = || {
        let from = random.below(4);
        let to = (from + 1 + random.below(3)) % 4;
        format!("[{},{}]", ROLES[from], ROLES[to])
    };
    let (first, round, last) = (pair(), pair(), pair());
    let mut text =
        format!("stg one explicit\nvariables v: Bool\ninitial 0\n0 -> 1: x{first}.<v>\n");
    if random.percent(80) {
        text.push_str(&format!("1 -> 1: [v] y{round}\n"));
    }
    match random.below(3) {
        0 => text.push_str(&format!("1 -> 2: [not v] z{last}\n2: end\n")),
        1 => text.push_str("1: end [not v]\n"),
        _ => text.push_str("1: end\n"),
    }
    text
}

const ROLES: [&str; 4] = ["a", "b", "c", "d"];

/// The graph that a text gives, with this ending on its operations; a product gives it variables of its own.
fn under_other_names(text: &str, ending: &str, terms: &mut Terms) -> Stg {
    let mut sources = SourceMap::new();
    let file = sources.add("random.stg", text);
    let (stg, diagnostics) = read_stg(file, text, terms);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let mut renaming = Renaming::default();
    for (operation, ..) in stg.alphabet() {
        let name = format!("{}{ending}", terms.names.text(operation.0));
        let new = Operation(terms.names.intern(&name));
        renaming.operations.insert(operation, new);
    }
    rename(&stg, &renaming, terms)
}

/// The same with operations, and perhaps roles, of its own.
fn shifted(graph: &Graph, roles: usize) -> Graph {
    let edges = graph.edges.iter();
    Graph {
        roles: graph.roles + roles,
        ends: graph.ends.clone(),
        edges: edges
            .map(|&(from, (operation, sender, receiver), to, hidden)| {
                let label = (operation + 10, sender + roles, receiver + roles);
                (from, label, to, hidden)
            })
            .collect(),
    }
}

fn can_always_end(graph: &Graph) -> bool {
    let reached = |from: usize| {
        let mut reached = vec![false; graph.ends.len()];
        let mut work = vec![from];
        while let Some(node) = work.pop() {
            if !std::mem::replace(&mut reached[node], true) {
                let leaving = graph.edges.iter().filter(|it| it.0 == node);
                work.extend(leaving.map(|it| it.2));
            }
        }
        (0..reached.len()).filter(move |&node| reached[node])
    };
    reached(0).all(|node| reached(node).any(|end| graph.ends[end]))
}

/// All orders of two graphs.
fn beside(one: &Graph, other: &Graph) -> Graph {
    let (rows, columns) = (one.ends.len(), other.ends.len());
    let node = |row: usize, column: usize| row * columns + column;
    let mut product = Graph {
        roles: one.roles.max(other.roles),
        ends: vec![false; rows * columns],
        edges: Vec::new(),
    };
    for row in 0..rows {
        for column in 0..columns {
            product.ends[node(row, column)] = one.ends[row] && other.ends[column];
            for &(from, label, to, hidden) in &one.edges {
                if from == row {
                    let edge = (node(row, column), label, node(to, column), hidden);
                    product.edges.push(edge);
                }
            }
            for &(from, label, to, hidden) in &other.edges {
                if from == column {
                    let edge = (node(row, column), label, node(row, to), hidden);
                    product.edges.push(edge);
                }
            }
        }
    }
    product
}

/// What is said of one conversation is true of two of its kind, over queues that they share or not.
#[test]
fn one_that_stands_for_many_says_what_the_twin_says_of_two() {
    let seed = seed_from_env();
    let (mut holds, mut fails, mut coupled) = (0, 0, 0);
    for round in 0..rounds(120) as u64 {
        let mut random = Random::new(seed.wrapping_add(round));
        let one = random_graph(&mut random, 4);
        let own_queues = random.percent(50);
        let together = random.percent(30);
        let services: Vec<usize> = (0..one.roles).filter(|_| random.percent(40)).collect();
        for (mode, twin) in MODES {
            let alone = if together {
                naive::Closing::Together
            } else {
                naive::Closing::Alone(services.clone())
            };
            let mut terms = Terms::new();
            let single = stg(&one, &mut terms);
            let asked = question(mode, closing(&alone, &mut terms), naive::BOUND);
            let mut solver = choros_smt::LazySolver::without_any();
            let stands = choros_realize::one_of_many(
                &single,
                &asked,
                own_queues,
                &mut terms,
                &mut solver,
                &Budget::unlimited(),
            );
            if stands.expect("it can be judged").is_err() {
                coupled += 1;
                continue;
            }
            let shift = if own_queues { one.roles } else { 0 };
            let both = match &alone {
                naive::Closing::Alone(services) if own_queues => {
                    let others = services.iter().map(|it| it + shift);
                    naive::Closing::Alone(services.iter().copied().chain(others).collect())
                }
                other => other.clone(),
            };
            let whole = beside(&one, &shifted(&one, shift));
            let expected = match realizable(&whole, &whole, twin, &both) {
                Answer::Holds => "holds",
                Answer::Fails => "fails",
                Answer::Cut => continue,
            };
            let found = word(&judge(&one, mode, &alone, naive::BOUND));
            if found != "unknown" {
                assert_eq!(
                    found, expected,
                    "seed {seed}, round {round}, {mode:?}, {alone:?}, own queues {own_queues}: {one:?}"
                );
            }
            holds += usize::from(expected == "holds");
            fails += usize::from(expected == "fails");
        }
    }
    println!("seed {seed}: {holds} hold, {fails} fail, {coupled} are judged together");
    assert!(holds > 5 && fails > 20 && coupled > 20);
}

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
use choros_model::Verdict;
use choros_model::stg::{Operation, Renaming, Stg, product, read_stg, rename, write_stg};
use choros_realize::{Closing, Criterion, Effort, Mode, Question, realizability};
use choros_smt::{LazySolver, Solver};
use choros_testkit::{Random, Shape, random_choreography, rounds, seed_from_env};

use support::MODES;
use support::naive::{self, Answer, Graph, realizable};
use support::random_graph::{random_graph, role, stg};

#[test]
fn two_beside_each_other_hold_iff_each_does() {
    let seed = seed_from_env();
    let (mut holds, mut fails) = (0, 0);
    for round in 0..rounds(150) as u64 {
        let mut random = Random::new(seed.wrapping_add(round));
        let one = random_graph(&mut random, 4);
        let other = random_graph(&mut random, 4);
        let services: Vec<usize> = (0..8).filter(|_| random.percent(40)).collect();
        let closing = match random.percent(25) {
            true => naive::Closing::Together,
            false => naive::Closing::Alone(services),
        };
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
            let found = judge(&beside(&one, &other), mode, &closing);
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
        let services: Vec<usize> = (0..4).filter(|_| random.percent(60)).collect();
        let closing = naive::Closing::Alone(services);
        for (mode, twin) in MODES {
            let each = [&one, &other].map(|it| realizable(it, it, twin, &closing));
            let whole = beside(&one, &other);
            let expected = realizable(&whole, &whole, twin, &closing);
            let found = judge(&whole, mode, &closing);
            let place = format!(
                "seed {seed}, round {round}, {mode:?}, {closing:?}: {one:?} beside {other:?}"
            );
            match found {
                "holds" => assert_ne!(expected, Answer::Fails, "{place}"),
                // A thread of a role may be left behind while another goes on.
                "fails" => assert!(
                    expected != Answer::Holds || each.contains(&Answer::Fails),
                    "{place}"
                ),
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
        let mut solver =
            choros_smt::find().expect("the tests need a solver: run scripts/setup-solvers.sh");
        let words = [&trees[0], &trees[1], &whole].map(|it| {
            answer(
                it,
                Mode::Synchronous,
                Closing::Together,
                &mut terms,
                &mut *solver,
            )
        });
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

fn judge(graph: &Graph, mode: Mode, closing: &naive::Closing) -> &'static str {
    let mut terms = Terms::new();
    let stg = stg(graph, &mut terms);
    let closing = match closing {
        naive::Closing::Together => Closing::Together,
        naive::Closing::Alone(services) => Closing::Alone {
            services: services.iter().map(|&it| role(it, &mut terms)).collect(),
        },
    };
    answer(
        &stg,
        mode,
        closing,
        &mut terms,
        &mut LazySolver::without_any(),
    )
}

fn answer(
    stg: &Stg,
    mode: Mode,
    closing: Closing,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> &'static str {
    let asked = Question {
        mode,
        criterion: Criterion::Semantic,
        repair: false,
        closing,
        effort: Effort {
            bound: naive::BOUND,
            states: 100_000,
        },
    };
    let budget = Budget::unlimited();
    let found = realizability(stg, &asked, terms, solver, &budget).expect("the solver answers");
    match found.semantic.verdict {
        Verdict::Holds(_) => "holds",
        Verdict::HoldsIf(..) => "conditional",
        Verdict::Fails(_) => "fails",
        Verdict::Unknown(_) => "unknown",
    }
}

//! Repair by behaviour against brute force: all insertions of one and two messages, on random choreographies without
//! data.
//!
//! `CHOROS_SEED` repeats a failure; the seed is printed.

#![allow(
    clippy::print_stdout,
    reason = "how many messages were needed is worth seeing"
)]

mod support;

use choros_data::Terms;
use choros_model::stg::Stg;
use choros_realize::{FoundRepair, Mode, Question};
use choros_smt::LazySolver;
use choros_testkit::{Random, seed_from_env};

use support::ask::{MODES, ask, closing, question};
use support::naive::{self, Answer, Graph, realizable};
use support::random_graph::{random_graph, stg};

#[test]
fn repairs_are_verified_and_as_small_as_brute_force_finds() {
    let seed = seed_from_env();
    let counts = compare(seed, 2, 3);
    println!("none, one, two, more messages needed: {counts:?}");
    assert!(counts.iter().sum::<usize>() > 0, "nothing was compared");
}

/// Here `c` has to be told of the first message and `a` of the second, and no single message does both.
#[test]
fn two_messages_are_needed() {
    let graph = Graph {
        roles: 3,
        ends: vec![false, false, false, true],
        edges: vec![
            (0, (0, 0, 1), 1, false),
            (1, (1, 2, 1), 2, false),
            (2, (2, 0, 1), 3, false),
        ],
    };
    let closing = naive::Closing::Together;
    let works = |with: &Graph| realizable(&graph, with, naive::Mode::Sender, &closing);
    assert_eq!(works(&graph), Answer::Fails);
    assert_eq!(least(&graph, &works), Some(2));
    let found = repaired(&graph, Mode::Sender, &closing);
    assert_eq!((found.repair.additions.len(), found.verified), (2, "yes"));
    assert_eq!(found.minimal, Some("proven"));
    assert_eq!(works(&back(&found.repair.stg, &graph)), Answer::Holds);
}

#[test]
#[ignore = "takes minutes: make soak"]
fn repairs_are_verified_and_as_small_as_brute_force_finds_often() {
    let seed = seed_from_env();
    let counts = compare(seed, 150, 3);
    assert!(counts[1] > 20 && counts[2] > 0, "{counts:?}");
}

/// How many choreographies need no, one, two, or more messages.
fn compare(seed: u64, rounds: u64, most_nodes: usize) -> [usize; 4] {
    let mut counts = [0; 4];
    for round in 0..rounds {
        let mut random = Random::new(seed.wrapping_add(round));
        let graph = random_graph(&mut random, most_nodes);
        for (mode, twin) in MODES {
            let place = format!("seed {seed}, round {round}, {mode:?}: {graph:?}");
            let closing = match round % 4 {
                0 => naive::Closing::Together,
                _ => naive::Closing::Alone(Vec::new()),
            };
            let works = |with: &Graph| realizable(&graph, with, twin, &closing);
            let found = repaired(&graph, mode, &closing);
            let count = found.repair.additions.len();
            match works(&graph) {
                Answer::Cut => continue,
                Answer::Holds => {
                    counts[0] += 1;
                    assert_eq!((count, found.verified), (0, "yes"), "{place}");
                    continue;
                }
                Answer::Fails => {}
            }
            if count > 0 {
                assert_eq!(found.verified, "yes", "{place}");
                let with = back(&found.repair.stg, &graph);
                assert_eq!(works(&with), Answer::Holds, "{place}: {with:?}");
            }
            let least = least(&graph, &works);
            counts[least.unwrap_or(3)] += 1;
            match least {
                Some(1) => assert_eq!((count, found.minimal), (1, Some("proven")), "{place}"),
                Some(_) => {
                    assert!(count != 1, "{place}");
                    assert!(
                        found.minimal != Some("proven") || count == 2,
                        "{place}: {count}"
                    );
                }
                None => assert!(
                    count > 2 || (count == 0 && found.verified != "yes"),
                    "{place}"
                ),
            }
        }
    }
    counts
}

fn repaired(graph: &Graph, mode: Mode, ends: &naive::Closing) -> FoundRepair {
    let mut terms = Terms::new();
    let stg = stg(graph, &mut terms);
    let asked = Question {
        repair: true,
        ..question(mode, closing(ends, &mut terms), 4)
    };
    let found = ask(&stg, &asked, &mut terms, &mut LazySolver::without_any());
    found.mended.expect("a repair or a reason")
}

/// How many messages are enough, if one or two are.
fn least(graph: &Graph, works: &dyn Fn(&Graph) -> Answer) -> Option<usize> {
    let ones = insertions(graph);
    if ones.iter().any(|one| works(one) == Answer::Holds) {
        return Some(1);
    }
    let two = ones.iter().any(|one| {
        insertions(one)
            .iter()
            .any(|two| works(two) == Answer::Holds)
    });
    two.then_some(2)
}

/// All graphs with one more message that an observer does not see.
fn insertions(graph: &Graph) -> Vec<Graph> {
    let mut found = Vec::new();
    let operation = 100 + graph.edges.len();
    for from in 0..graph.roles {
        for to in (0..graph.roles).filter(|&to| to != from) {
            let label = (operation, from, to);
            let new = graph.ends.len();
            for edge in 0..graph.edges.len() {
                let mut before = graph.clone();
                before.ends.push(false);
                let source = std::mem::replace(&mut before.edges[edge].0, new);
                before.edges.push((source, label, new, true));
                found.push(before);
                let mut behind = graph.clone();
                behind.ends.push(false);
                let target = std::mem::replace(&mut behind.edges[edge].2, new);
                behind.edges.push((new, label, target, true));
                found.push(behind);
            }
            for node in 0..graph.ends.len() {
                let mut state = graph.clone();
                state.ends.push(graph.ends[node]);
                state.ends[node] = false;
                for edge in &mut state.edges {
                    if edge.0 == node {
                        edge.0 = new;
                    }
                }
                state.edges.push((node, label, new, true));
                found.push(state);
            }
        }
    }
    found
}

/// The repaired graph in the twin's terms; what the original does not have is hidden.
fn back(stg: &Stg, graph: &Graph) -> Graph {
    let mut terms = Terms::new();
    let original = support::random_graph::stg(graph, &mut terms);
    let alphabet = original.alphabet();
    let roles: Vec<_> = (0..graph.roles)
        .map(|it| support::random_graph::role(it, &mut terms))
        .collect();
    let number = |role| roles.iter().position(|&it| it == role).expect("a role");
    // Nodes keep their numbers, and the first is the initial one.
    let mut nodes: Vec<usize> = stg.node_ids().map(|it| it.index()).collect();
    let initial = stg.initial().index();
    nodes.swap(0, initial);
    let place = |node: usize| nodes.iter().position(|&it| it == node).expect("a node");
    let mut added = Vec::new();
    let mut edges = Vec::new();
    for edge in stg.edges() {
        let message = edge.event.message().expect("a message");
        let (from, to) = (number(message.from), number(message.to));
        let known = (message.operation, message.from, message.to);
        let hidden = !alphabet.contains(&known);
        let operation = if hidden {
            added.push(known);
            200 + added.len()
        } else {
            // Operations are numbered as they are named.
            terms.names.text(message.operation.0)[1..]
                .parse()
                .expect("a number")
        };
        edges.push((
            place(edge.source.index()),
            (operation, from, to),
            place(edge.target.index()),
            hidden,
        ));
    }
    let ends = nodes
        .iter()
        .map(|&it| !stg.nodes()[it].terminations.is_empty())
        .collect();
    Graph {
        roles: graph.roles,
        ends,
        edges,
    }
}

//! The rules against a second reading of them that does nothing cleverly.
//!
//! The twin keeps terms as they are written, without normal form, without sharing and by recursion: `empty;Q` stays
//! `empty;Q`, and `√` is a step like any other.
//! Both readings of a random process must be strongly bisimilar, idling included.

mod literal;
mod support;

use std::collections::{BTreeMap, BTreeSet};

use choros_bpel::calculus::*;
use choros_data::Terms;
use choros_model::stg::NodeId;
use choros_testkit::{Random, seed_from_env};
use literal::{Graph, naive};
use support::Maker;

/// The graph under test, with idling and `√` as steps again.
fn clever(process: &Process, terms: &mut Terms) -> Graph {
    let budget = choros_base::Budget::unlimited();
    let unfolding = unfold(terms, process, "P", &budget).expect("small");
    let graph = unfolding.graph;
    let mut steps: Graph = graph
        .node_ids()
        .map(|node| {
            graph
                .outgoing(node)
                .map(|(_, edge)| (edge.label_text(terms), edge.target.index()))
                .collect()
        })
        .collect();
    // `0` is where nothing happens any more; a node that waits forever idles.
    let stuck = |node: &NodeId| {
        graph.node(*node).terminations.is_empty()
            && graph.outgoing(*node).next().is_none()
            && !unfolding.idle.contains(node)
    };
    let stopped = graph
        .node_ids()
        .find(stuck)
        .map_or(steps.len(), |node| node.index());
    steps.resize(steps.len().max(stopped + 1), Vec::new());
    for &node in &unfolding.idle {
        steps[node.index()].push(("tick".to_owned(), node.index()));
    }
    for node in graph.node_ids() {
        if !graph.node(node).terminations.is_empty() {
            steps[node.index()].push(("√".to_owned(), stopped));
        }
    }
    steps
}

type Signature<'a> = (usize, BTreeSet<(&'a str, usize)>);

/// Strong bisimilarity of the first states, by refining one partition of both.
fn bisimilar(left: &Graph, right: &Graph) -> bool {
    let shift = left.len();
    let mut all = left.clone();
    all.extend(right.iter().map(|steps| {
        steps
            .iter()
            .map(|(label, target)| (label.clone(), target + shift))
            .collect()
    }));
    let mut block = vec![0usize; all.len()];
    let mut blocks = 1;
    loop {
        let mut signatures: BTreeMap<Signature<'_>, usize> = BTreeMap::new();
        let next: Vec<usize> = all
            .iter()
            .enumerate()
            .map(|(state, steps)| {
                let signature = steps
                    .iter()
                    .map(|(label, target)| (label.as_str(), block[*target]))
                    .collect();
                let fresh = signatures.len();
                *signatures.entry((block[state], signature)).or_insert(fresh)
            })
            .collect();
        let count = signatures.len();
        block = next;
        if count == blocks {
            return block[0] == block[shift];
        }
        blocks = count;
    }
}

/// A random activity of bounded size.
fn random(make: &mut Maker, random_: &mut Random, depth: usize) -> ActivityId {
    let operation = ["a", "b", "c"][random_.below(3)];
    let fault = ["f", "g"][random_.below(2)];
    let kind = match depth {
        0 => random_.below(7),
        _ => random_.below(15),
    };
    match kind {
        0 => make.empty(),
        1 => make.assign("x", random_.below(3) as i64),
        2 => make.throw(fault),
        3 => {
            let correlation = random_.percent(30).then(|| make.correlation());
            let faults: &[&str] = if random_.percent(30) { &["f"] } else { &[] };
            make.receive_with(operation, "x", correlation, faults)
        }
        4 => {
            let correlation = random_.percent(30).then(|| make.correlation());
            make.send_with(operation, "x", correlation, None)
        }
        5 => make.wait(1 + random_.below(3) as u32),
        6 => make.add(Activity::Exit),
        7 | 8 => {
            let parts: Vec<ActivityId> = (0..1 + random_.below(3))
                .map(|_| random(make, random_, depth - 1))
                .collect();
            make.sequence(&parts)
        }
        9 => {
            let guard = make.flag("c");
            let yes = random(make, random_, depth - 1);
            let no = random(make, random_, depth - 1);
            make.either(guard, yes, no)
        }
        10 => {
            let guard = make.flag("d");
            let body = random(make, random_, depth - 1);
            make.while_(guard, body, random_.percent(50))
        }
        11 | 12 => {
            let parts = [
                random(make, random_, depth - 1),
                random(make, random_, depth - 1),
            ];
            make.flow(&parts)
        }
        _ => {
            let style = if random_.percent(50) {
                Style::Disabling
            } else {
                Style::Concurrent
            };
            let body = if style == Style::Disabling && random_.percent(40) {
                make.time()
            } else {
                random(make, random_, depth - 1)
            };
            let mut scope = Scope::around(body);
            scope.style = style;
            for operation in ["a", "d"] {
                if random_.percent(40) {
                    let correlation = random_.percent(30).then(|| make.correlation());
                    let reception = make.receive_with(operation, "y", correlation, &[]);
                    let body = random(make, random_, depth - 1);
                    scope.events.push(OnMessage { reception, body });
                }
            }
            if random_.percent(40) {
                let body = random(make, random_, depth - 1);
                scope.alarms.push(OnAlarm {
                    after: 1 + random_.below(3) as u32,
                    every: None,
                    body,
                });
            }
            if random_.percent(50) {
                let mut body = random(make, random_, depth - 1);
                let rethrows = random_.percent(30);
                if rethrows {
                    let again = make.add(Activity::Rethrow);
                    body = make.sequence(&[body, again]);
                }
                let fault = if random_.percent(50) {
                    Some(make.name("f"))
                } else {
                    None
                };
                scope.handlers.push(Handling {
                    fault,
                    variable: None,
                    body,
                    rethrows,
                });
            }
            if random_.percent(30) {
                scope.termination = Some(random(make, random_, 0));
            }
            make.add(Activity::Scope(scope))
        }
    }
}

#[test]
fn both_readings_are_bisimilar() {
    let seed = seed_from_env();
    let mut compared = 0;
    for round in 0..1000 {
        let mut numbers = Random::new(seed.wrapping_add(round));
        let mut make = Maker::new();
        make.process.root = random(&mut make, &mut numbers, 3);
        let Maker { mut terms, process } = make;
        let Some(twin) = naive(&process, &terms, 600) else {
            continue;
        };
        let graph = clever(&process, &mut terms);
        assert!(
            graph.len() <= twin.len() + 1,
            "round {round}: the normal form has {} states, the literal reading {}",
            graph.len(),
            twin.len()
        );
        assert!(
            bisimilar(&graph, &twin),
            "round {round}: {process:?}\n{graph:?}\n{twin:?}"
        );
        compared += 1;
    }
    assert!(
        compared > 100,
        "only {compared} processes were small enough"
    );
}

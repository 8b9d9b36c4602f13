//! The rules against a second reading of them that does nothing cleverly.
//!
//! The twin keeps terms as they are written, without normal form, without sharing and by recursion: `empty;Q` stays
//! `empty;Q`, and `√` is a step like any other.
//! Both readings of a random process must be strongly bisimilar, idling included.

mod literal;
mod support;

use std::collections::{BTreeMap, BTreeSet};

use choros_bpel::calculus::*;
use choros_data::{Sort, Terms};
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
        _ => random_.below(22),
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
        13 => linked(make, random_, depth),
        14 => compensated(make, random_, depth),
        15 => for_each(make, random_, depth),
        16 => {
            let delivery = make.delivery(random_.below(3));
            make.receive_delivered(operation, "x", delivery)
        }
        17 => contested(make, random_),
        18 => {
            let parts = [contested(make, random_), random(make, random_, depth - 1)];
            make.flow(&parts)
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
                    let mut reception = make.receive_with(operation, "y", correlation, &[]);
                    if random_.percent(50) {
                        reception = make.contested(reception, &["c"], false);
                    }
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
            scope.starts_dormant = style == Style::Concurrent && random_.percent(30);
            scope.exits = random_.percent(20);
            if random_.percent(20) {
                scope.abandoned = vec![make.set("l", 0)];
            }
            if random_.percent(30) {
                scope.termination = Some(random(make, random_, 0));
            }
            make.add(Activity::Scope(scope))
        }
    }
}

/// A reception for whose messages others may wait, with one of two correlation sets or none (10.4).
fn contested(make: &mut Maker, random_: &mut Random) -> ActivityId {
    let operation = ["a", "d"][random_.below(2)];
    let sets: &[&str] = [&["c"][..], &["e"], &[]][random_.below(3)];
    let id = if random_.percent(60) {
        let delivery = make.delivery(random_.below(3));
        make.receive_delivered(operation, "x", delivery)
    } else {
        make.receive(operation, "x")
    };
    make.contested(id, sets, random_.percent(20))
}

/// A flow in which one branch waits for a link that the other sets, or that stays unset (links, 11.6).
fn linked(make: &mut Maker, random_: &mut Random, depth: usize) -> ActivityId {
    let before = random(make, random_, depth - 1);
    let set = make.assign("known", 1);
    let source = make.sequence(&[before, set]);
    let (positive, negative) = (make.flag("l"), make.flag("not_l"));
    let go = random(make, random_, depth - 1);
    let skip = if random_.percent(50) {
        make.empty()
    } else {
        make.throw("f")
    };
    let skipped = make.set("dead", 1);
    let arm = |guard, updates, body| Arm {
        guard,
        updates,
        body,
    };
    let target = make.add(Activity::Choice {
        arms: vec![
            arm(positive, Vec::new(), go),
            arm(negative, vec![skipped], skip),
        ],
        waits: true,
    });
    let body = make.flow(&[source, target]);
    let updates = vec![make.set("known", 0)];
    make.add(Activity::Begin { updates, body })
}

/// A scope that notes its completion, and what undoes it afterwards (compensation, 12.4).
fn compensated(make: &mut Maker, random_: &mut Random, depth: usize) -> ActivityId {
    let body = random(make, random_, depth - 1);
    let mut inner = Scope::around(body);
    inner.completed = vec![make.set("completed", 1)];
    if random_.percent(30) {
        inner.termination = Some(make.assign("y", 2));
    }
    let inner = make.add(Activity::Scope(inner));
    let after = random(make, random_, depth - 1);
    let body = make.sequence(&[inner, after]);
    let handler = random(make, random_, 0);
    let undone = make.assign("completed", 0);
    let undo = make.sequence(&[undone, handler]);
    let installed = make.flag("installed");
    let undo = make.while_(installed, undo, false);
    let again = make.add(Activity::Rethrow);
    let handler = make.sequence(&[undo, again]);
    let mut outer = Scope::around(body);
    outer.handlers.push(Handling {
        fault: None,
        variable: None,
        body: handler,
        rethrows: true,
    });
    make.add(Activity::Scope(outer))
}

/// Rounds one after the other, or side by side until one is enough (forEach, 11.7).
fn for_each(make: &mut Maker, random_: &mut Random, depth: usize) -> ActivityId {
    let first = make.assign("i", 1);
    let more = make.flag("more");
    if random_.percent(50) {
        let round = random(make, random_, depth - 1);
        let next = make.increase("i");
        let body = make.sequence(&[round, next]);
        let mut rounds = Activity::Loop {
            enter: more,
            leave: more,
            body,
            body_first: false,
            undefined: None,
        };
        let fails = make.throw("g");
        if let Activity::Loop { undefined, .. } = &mut rounds {
            *undefined = Some((more, fails));
        }
        let rounds = make.add(rounds);
        return make.sequence(&[first, rounds]);
    }
    let mut branches = Vec::new();
    for _ in 0..2 {
        let round = random(make, random_, depth - 1);
        let enough = make.throw("enough");
        let nothing = make.empty();
        let check = make.either(more, enough, nothing);
        branches.push(make.sequence(&[round, check]));
    }
    let flow = make.flow(&branches);
    let nothing = make.empty();
    let whole = make.catch(flow, Some("enough"), nothing);
    make.sequence(&[first, whole])
}

#[test]
fn both_readings_are_bisimilar() {
    let seed = seed_from_env();
    let mut compared = 0;
    for round in 0..1000 {
        let mut numbers = Random::new(seed.wrapping_add(round));
        let mut make = Maker::new();
        let apart = make.name("apart");
        make.process.apart = Some(make.terms.variable(apart, Sort::BOOL));
        let standard = make.name("g");
        make.process.standard_faults = vec![standard];
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

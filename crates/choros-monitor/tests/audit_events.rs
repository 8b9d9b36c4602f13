//! Models that order events and not messages: the audit against a twin that writes down all orders of observations.

use std::collections::HashSet;

use choros_base::Budget;
use choros_data::{Term, Terms};
use choros_model::observation::Observation;
use choros_model::stg::{
    Direction, Edge, Ending, Event, Message, NodeId, Operation, Role, StgBuilder,
};
use choros_monitor::audit::{
    Auditing, CrossingMessages, Empty, Hypothesis, Integers, Log, MessageMoment, Network, Order,
    Projection, Runs, Sessions, audit,
};
use choros_smt::LazySolver;
use choros_testkit::{Random, seed_from_env};

/// Whether it is a sending, and the message by its ends.
type Act = (bool, usize, usize);

const ROLES: usize = 3;

/// All orders of observations in which receptions stand after their sendings.
fn orders(
    logs: &[Vec<(Act, usize)>],
    cut: &mut Vec<usize>,
    word: &mut Vec<Act>,
    all: &mut Vec<Vec<Act>>,
    seen: &mut HashSet<(Vec<usize>, Vec<Act>)>,
) {
    if !seen.insert((cut.clone(), word.clone())) {
        return;
    }
    if cut.iter().zip(logs).all(|(&at, log)| at == log.len()) {
        all.push(word.clone());
        return;
    }
    for log in 0..logs.len() {
        let Some(&((sends, from, to), number)) = logs[log].get(cut[log]) else {
            continue;
        };
        let waits = !sends
            && logs.iter().zip(cut.iter()).any(|(log, &cut)| {
                let mut ahead = log.iter().skip(cut);
                ahead.any(|&((sends, ..), other)| sends && other == number)
            });
        // What a log lacks came after everything in it.
        let early = log >= ROLES && cut[from] < logs[from].len();
        if !waits && !early {
            cut[log] += 1;
            word.push((sends, from, to));
            orders(logs, cut, word, all, seen);
            word.pop();
            cut[log] -= 1;
        }
    }
}

#[test]
fn every_order_of_observations_is_looked_at() {
    let mut random = Random::new(seed_from_env());
    let mut met = std::collections::BTreeMap::<&str, usize>::new();
    for _ in 0..3_000 {
        let nodes = 2 + random.below(5);
        let act = |random: &mut Random| {
            let from = random.below(ROLES);
            (
                random.percent(50),
                from,
                (from + 1 + random.below(ROLES - 1)) % ROLES,
            )
        };
        let mut acts: Vec<Act> = (0..2 + random.below(4)).map(|_| act(&mut random)).collect();
        // Both kinds and several roles, so that the model is one of events.
        acts.extend([(true, 0, 1), (false, 0, 1), (true, 1, 2)]);
        let edges: Vec<(usize, Act, usize)> = (0..3 * nodes)
            .map(|_| {
                (
                    random.below(nodes),
                    *random.pick(&acts),
                    random.below(nodes),
                )
            })
            .collect();
        let mut terms = Terms::new();
        let mut builder = StgBuilder::new("random", Ending::Explicit);
        for node in 0..nodes {
            builder.node(node.to_string());
        }
        // Unreachable, but part of the alphabet: what is judged must not depend on chance.
        let all_acts = acts.iter().map(|&act| (nodes, act, nodes));
        builder.node("alphabet");
        for (source, (sends, from, to), target) in edges.iter().copied().chain(all_acts) {
            let edge = Edge {
                source: NodeId(source as u32),
                target: NodeId(target as u32),
                guard: Term::TRUE,
                event: Event::Message(Message {
                    operation: Operation(terms.names.intern("m")),
                    from: Role(terms.names.intern(&format!("r{from}"))),
                    to: Role(terms.names.intern(&format!("r{to}"))),
                    direction: if sends {
                        Direction::Send
                    } else {
                        Direction::Receive
                    },
                    fault: None,
                    fields: Vec::new(),
                }),
                updates: Vec::new(),
                origin: None,
            };
            builder.edge(&mut terms, edge);
        }
        let stg = builder.finish_as_built(NodeId(0));
        // A walk gives a word that conforms; its messages get numbers in order.
        let mut logs: Vec<Vec<(Act, usize)>> = vec![Vec::new(); ROLES];
        let mut node = 0;
        let mut counts = std::collections::HashMap::new();
        for _ in 0..random.below(7) {
            let steps: Vec<_> = edges.iter().filter(|edge| edge.0 == node).collect();
            let act = if steps.is_empty() || random.percent(10) {
                *random.pick(&acts)
            } else {
                let &&(_, act, target) = random.pick(&steps);
                node = target;
                act
            };
            let number = counts.entry(act).or_insert(0);
            logs[if act.0 { act.1 } else { act.2 }].push((act, 100 * act.1 + 10 * act.2 + *number));
            *number += 1;
        }
        let files: Vec<Log> = logs
            .iter()
            .enumerate()
            .map(|(role, log)| Log {
                role: format!("r{role}"),
                source: format!("r{role}.jsonl"),
                hypothesis: Hypothesis::Cut,
                promises_data: false,
                observations: log
                    .iter()
                    .map(|&((sends, from, to), number)| {
                        let direction = if sends {
                            Direction::Send
                        } else {
                            Direction::Receive
                        };
                        let mut observation =
                            Observation::new("m", format!("r{from}"), format!("r{to}"), direction);
                        observation.id = Some(number.to_string().into());
                        observation
                    })
                    .collect(),
            })
            .collect();
        let how = Auditing {
            order: Order::Local,
            reading: MessageMoment::Whole,
            crossing: CrossingMessages::JudgedBySendings,
            sessions: Sessions::One,
            runs: Runs::MayBeUnfinished,
            projection: Projection::Remembering,
            empty: Empty::Conforms,
            network: Network::Once,
            integers: Integers::Declared,
            tolerance: 100,
            limit: 1_000_000,
        };
        let found = audit(
            &stg,
            &files,
            &how,
            &mut terms,
            &mut LazySolver::without_any(),
            &Budget::unlimited(),
        )
        .unwrap();
        // What was received was sent: each such sending has a log of its own.
        let sent: HashSet<usize> = logs
            .iter()
            .flatten()
            .filter(|it| it.0.0)
            .map(|it| it.1)
            .collect();
        let unsent: Vec<Vec<(Act, usize)>> = logs
            .iter()
            .flatten()
            .filter(|it| !it.0.0 && !sent.contains(&it.1))
            .map(|&((_, from, to), number)| vec![((true, from, to), number)])
            .collect();
        logs.extend(unsent);
        let mut all = Vec::new();
        orders(
            &logs,
            &mut vec![0; logs.len()],
            &mut Vec::new(),
            &mut all,
            &mut HashSet::new(),
        );
        let conforms = |word: &Vec<Act>| {
            let mut at = vec![0];
            for act in word {
                let next = edges
                    .iter()
                    .filter(|edge| at.contains(&edge.0) && edge.1 == *act);
                at = next.map(|edge| edge.2).collect();
            }
            !at.is_empty()
        };
        let good = all.iter().filter(|word| conforms(word)).count();
        let expected = match good {
            0 => "fails",
            good if good == all.len() => "holds",
            _ => "unknown",
        };
        let global = found.results.last().unwrap();
        assert_eq!(global.name, "global");
        let word = global.verdict.word();
        // Whether something is missing is asked elsewhere.
        let fits = word == expected || (expected == "fails" && word == "unknown");
        assert!(fits, "{word} for {expected}: {edges:?} {logs:?}");
        *met.entry(expected).or_default() += 1;
    }
    for verdict in ["holds", "fails", "unknown"] {
        assert!(met.get(verdict).is_some_and(|&count| count > 20), "{met:?}");
    }
}

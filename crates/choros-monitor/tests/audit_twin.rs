//! The audit against its naive twin, which writes down all traces of a role and all interleavings of the logs.

use choros_base::Budget;
use choros_data::{Term, Terms};
use choros_model::Verdict;
use choros_model::observation::Observation;
use choros_model::stg::{
    Direction, Edge, Ending, Event, Message, NodeId, Operation, Role, Stg, StgBuilder,
};
use choros_monitor::audit::{
    Audit, Auditing, Crossing, Integers, Log, Order, Reading, Runs, Sessions, audit,
};
use choros_smt::NoSolver;
use choros_testkit::{Random, seed_from_env};

/// Operation, sender, receiver, all by number.
type Letter = (usize, usize, usize);

/// A small graph, as lists.
#[derive(Debug, Clone)]
struct Model {
    nodes: usize,
    /// Source, message or silent, target.
    edges: Vec<(usize, Option<Letter>, usize)>,
    ends: Vec<bool>,
}

const ROLES: usize = 4;

fn letter(random: &mut Random) -> Letter {
    let operation = random.below(3);
    // The roles of an operation are fixed often enough that models and logs meet.
    let from = random.below(ROLES);
    (
        operation,
        from,
        (from + 1 + random.below(ROLES - 1)) % ROLES,
    )
}

fn model(random: &mut Random) -> Model {
    let nodes = 2 + random.below(5);
    let letters: Vec<Letter> = (0..1 + random.below(4)).map(|_| letter(random)).collect();
    let silent = random.percent(30);
    let edges = (0..nodes + random.below(6))
        .map(|_| {
            let label = match silent && random.percent(20) {
                true => None,
                false => Some(*random.pick(&letters)),
            };
            (random.below(nodes), label, random.below(nodes))
        })
        .collect();
    Model {
        nodes,
        edges,
        ends: (0..nodes).map(|_| random.percent(40)).collect(),
    }
}

impl Model {
    fn stg(&self, terms: &mut Terms) -> Stg {
        let mut builder = StgBuilder::new("random", Ending::Explicit);
        for node in 0..self.nodes {
            let id = builder.node(node.to_string());
            if self.ends[node] {
                builder.terminate(terms, id, Term::TRUE, None);
            }
        }
        for &(source, label, target) in &self.edges {
            let event = match label {
                None => Event::Silent,
                Some((operation, from, to)) => Event::Message(Message {
                    operation: Operation(terms.names.intern(&format!("m{operation}"))),
                    from: Role(terms.names.intern(&format!("r{from}"))),
                    to: Role(terms.names.intern(&format!("r{to}"))),
                    direction: Direction::Interaction,
                    fault: None,
                    fields: Vec::new(),
                }),
            };
            let edge = Edge {
                source: NodeId(source as u32),
                target: NodeId(target as u32),
                guard: Term::TRUE,
                event,
                updates: Vec::new(),
                origin: None,
            };
            builder.edge(terms, edge);
        }
        builder.finish_as_built(NodeId(0))
    }

    /// Where the model may stand after a word, looking only at what `sees` lets through.
    fn after(&self, word: &[Letter], sees: impl Fn(Letter) -> bool) -> Vec<usize> {
        let mut at = self.silently(vec![0], &sees);
        for &letter in word {
            let next = self
                .edges
                .iter()
                .filter(|(source, label, _)| at.contains(source) && *label == Some(letter))
                .map(|&(_, _, target)| target)
                .collect();
            at = self.silently(next, &sees);
        }
        at
    }

    fn silently(&self, mut at: Vec<usize>, sees: &impl Fn(Letter) -> bool) -> Vec<usize> {
        let mut next = 0;
        while next < at.len() {
            let node = at[next];
            next += 1;
            for &(source, label, target) in &self.edges {
                if source == node && !label.is_some_and(sees) && !at.contains(&target) {
                    at.push(target);
                }
            }
        }
        at
    }

    fn may_end(&self, at: &[usize]) -> bool {
        at.iter().any(|&node| self.ends[node])
    }

    fn letters(&self) -> Vec<Letter> {
        self.edges.iter().filter_map(|edge| edge.1).collect()
    }
}

/// What a service did: whether it sent, and which message, which carries a number if it is known which one it is.
type Local = Vec<(bool, Letter, usize)>;

/// Random messages in a random order, perhaps with the orders of some logs disturbed.
fn logs(random: &mut Random, model: &Model) -> Vec<Local> {
    let mut letters = model.letters();
    if letters.is_empty() || random.percent(20) {
        letters.push(letter(random));
    }
    let word: Vec<Letter> = match random.percent(70) {
        // A walk through the model, so that there is something to hold.
        true => {
            let mut word = Vec::new();
            let mut node = 0;
            for _ in 0..random.below(7) {
                let steps: Vec<_> = model.edges.iter().filter(|edge| edge.0 == node).collect();
                if steps.is_empty() {
                    break;
                }
                let &&(_, label, target) = random.pick(&steps);
                word.extend(label);
                node = target;
            }
            word
        }
        false => (0..random.below(6))
            .map(|_| *random.pick(&letters))
            .collect(),
    };
    let mut logs = vec![Local::new(); ROLES];
    for (number, &letter) in word.iter().enumerate() {
        logs[letter.1].push((true, letter, number));
        // Now and then a message is lost.
        if random.percent(95) {
            logs[letter.2].push((false, letter, number));
        }
    }
    for log in &mut logs {
        if log.len() > 1 && random.percent(15) {
            let at = random.below(log.len() - 1);
            log.swap(at, at + 1);
        }
    }
    logs
}

/// All orders of messages that agree with the logs; a message happens by `reading`.
fn interleavings(logs: &[Local], reading: Reading) -> Vec<Vec<Letter>> {
    let mut all = Vec::new();
    let mut seen = std::collections::HashSet::new();
    extend(
        logs,
        &mut vec![0; logs.len()],
        reading,
        &mut Vec::new(),
        &mut all,
        &mut seen,
    );
    all
}

/// Takes observations one at a time: every order of observations in which a sending stands before its reception.
fn extend(
    logs: &[Local],
    cut: &mut Vec<usize>,
    reading: Reading,
    word: &mut Vec<Letter>,
    all: &mut Vec<Vec<Letter>>,
    seen: &mut std::collections::HashSet<(Vec<usize>, Vec<Letter>)>,
) {
    if !seen.insert((cut.clone(), word.clone())) {
        return;
    }
    if cut.iter().zip(logs).all(|(&at, log)| at == log.len()) {
        all.push(word.clone());
        return;
    }
    let place = |sends: bool, number: usize| {
        logs.iter().enumerate().find_map(|(log, local)| {
            let at = local
                .iter()
                .position(|it| it.0 == sends && it.2 == number)?;
            Some((log, at))
        })
    };
    for log in 0..logs.len() {
        let Some(&(sends, letter, number)) = logs[log].get(cut[log]) else {
            continue;
        };
        let other = place(!sends, number);
        let Some((other_log, other_at)) = other else {
            // Without its other end it is in no order.
            cut[log] += 1;
            extend(logs, cut, reading, word, all, seen);
            cut[log] -= 1;
            continue;
        };
        match reading {
            Reading::Whole => {
                if sends && cut[other_log] == other_at {
                    cut[log] += 1;
                    cut[other_log] += 1;
                    word.push(letter);
                    extend(logs, cut, reading, word, all, seen);
                    word.pop();
                    cut[log] -= 1;
                    cut[other_log] -= 1;
                }
            }
            Reading::Sendings | Reading::Receptions => {
                if !sends && cut[other_log] <= other_at {
                    continue;
                }
                let happens = sends == (reading == Reading::Sendings);
                cut[log] += 1;
                if happens {
                    word.push(letter);
                }
                extend(logs, cut, reading, word, all, seen);
                if happens {
                    word.pop();
                }
                cut[log] -= 1;
            }
        }
    }
}

fn run(model: &Model, logs: &[Local], with_ids: bool, reading: Reading, order: Order) -> Audit {
    let mut terms = Terms::new();
    let stg = model.stg(&mut terms);
    let letters = model.letters();
    let files: Vec<Log> = logs
        .iter()
        .enumerate()
        .map(|(role, local)| Log {
            role: format!("r{role}"),
            source: format!("r{role}.jsonl"),
            observations: local
                .iter()
                .map(|&(sends, (operation, from, to), number)| {
                    let direction = if sends {
                        Direction::Send
                    } else {
                        Direction::Receive
                    };
                    let mut observation = Observation::new(
                        format!("m{operation}"),
                        format!("r{from}"),
                        format!("r{to}"),
                        direction,
                    );
                    observation.id = with_ids.then(|| number.to_string().into());
                    observation
                })
                .collect(),
        })
        .collect();
    let _ = letters;
    let how = Auditing {
        order,
        reading,
        crossing: Crossing::Fails,
        sessions: Sessions::One,
        runs: Runs::MayBeUnfinished,
        integers: Integers::Declared,
        limit: 1_000_000,
    };
    audit(
        &stg,
        &files,
        &how,
        &mut terms,
        &mut NoSolver,
        &Budget::unlimited(),
    )
    .unwrap()
}

fn word(verdict: &Verdict) -> &'static str {
    verdict.word()
}

#[test]
fn verdicts_are_those_of_the_naive_twin() {
    let mut random = Random::new(seed_from_env());
    let mut met = std::collections::BTreeMap::<(&str, bool), usize>::new();
    for _ in 0..4_000 {
        let model = model(&mut random);
        let logs = logs(&mut random, &model);
        let alphabet = model.letters();
        let known: Vec<Local> = logs
            .iter()
            .map(|log| {
                let known = log.iter().filter(|it| alphabet.contains(&it.1));
                known.copied().collect()
            })
            .collect();
        let reading = *random.pick(&[Reading::Whole, Reading::Sendings, Reading::Receptions]);
        let audit = run(&model, &logs, true, reading, Order::Local);
        let context = || format!("{model:?} {logs:?} {reading:?}");
        let mut expected: Vec<(String, &str, bool)> = Vec::new();
        for (role, log) in known.iter().enumerate() {
            let occurs = alphabet.iter().any(|it| it.1 == role || it.2 == role);
            if !occurs {
                continue;
            }
            let word: Vec<Letter> = log.iter().map(|it| it.1).collect();
            let at = model.after(&word, |it| it.1 == role || it.2 == role);
            let verdict = if at.is_empty() { "fails" } else { "holds" };
            expected.push((format!("r{role}"), verdict, model.may_end(&at)));
        }
        let all = interleavings(&known, reading);
        let sets: Vec<Vec<usize>> = all.iter().map(|word| model.after(word, |_| true)).collect();
        let good = sets.iter().filter(|set| !set.is_empty()).count();
        let verdict = match good {
            0 => "fails",
            good if good == sets.len() => "holds",
            _ => "unknown",
        };
        let finished = sets.iter().all(|set| model.may_end(set));
        expected.push(("global".to_owned(), verdict, finished));
        assert_eq!(audit.results.len(), expected.len(), "{}", context());
        for (result, (name, verdict, finished)) in audit.results.iter().zip(&expected) {
            assert_eq!(&result.name, name, "{}", context());
            assert_eq!(word(&result.verdict), *verdict, "{name}: {}", context());
            if *verdict == "holds" {
                assert_eq!(result.finished, *finished, "{name}: {}", context());
            }
            let global = name == "global";
            *met.entry((*verdict, global)).or_default() += 1;
        }
    }
    // Random models that never meet a case would prove nothing about it.
    for case in [
        ("holds", false),
        ("fails", false),
        ("holds", true),
        ("fails", true),
        ("unknown", true),
    ] {
        assert!(met.get(&case).is_some_and(|&count| count > 20), "{met:?}");
    }
}

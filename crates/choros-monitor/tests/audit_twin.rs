//! The audit against its naive twin, which writes down all traces of a role and all interleavings of the logs.

use std::collections::{BTreeMap, HashSet};

use choros_base::Budget;
use choros_data::{Term, Terms};
use choros_model::Observed;
use choros_model::observation::Observation;
use choros_model::stg::{
    Direction, Edge, Ending, Event, Message, NodeId, Operation, Role, Stg, StgBuilder,
};
use choros_monitor::audit::{
    Audit, Auditing, CrossingMessages, Empty, Hypothesis, Integers, Log, MessageMoment, Network,
    Order, Projection, Runs, Sessions, audit,
};
use choros_smt::LazySolver;
use choros_testkit::{Random, rounds, seed_from_env};

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
            let label = if silent && random.percent(20) {
                None
            } else {
                Some(*random.pick(&letters))
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
    let word: Vec<Letter> = if random.percent(70) {
        // A walk through the model, so that there is something to hold.
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
    } else {
        (0..random.below(6))
            .map(|_| *random.pick(&letters))
            .collect()
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

/// Messages that were sent and are in no log of their receivers: those that their senders might send, and strays,
/// which a role sent when it had left its part, where sending and receiving are one.
fn on_their_way(
    model: &Model,
    logs: &[Local],
    hypothesis: Hypothesis,
    reading: MessageMoment,
) -> (Vec<(Letter, usize)>, Vec<usize>) {
    let (mut arriving, mut strays) = (Vec::new(), Vec::new());
    for (role, log) in logs.iter().enumerate() {
        let sees = |it: Letter| hypothesis != Hypothesis::Gaps && (it.1 == role || it.2 == role);
        let mut at = match hypothesis {
            Hypothesis::Late => model.silently(vec![0], &|_| false),
            _ => model.silently(vec![0], &sees),
        };
        for &(sends, letter, number) in log {
            let edges = model.edges.iter();
            let next = edges
                .filter(|(source, label, _)| at.contains(source) && *label == Some(letter))
                .map(|&(_, _, target)| target)
                .collect();
            at = model.silently(next, &sees);
            let is_received = logs[letter.2].iter().any(|it| !it.0 && it.2 == number);
            let is_stray = at.is_empty() && reading == MessageMoment::Whole;
            match (sends && !is_received, is_stray) {
                (true, false) => arriving.push((letter, number)),
                (true, true) => strays.push(number),
                _ => {}
            }
        }
    }
    (arriving, strays)
}

/// All orders of messages that agree with the logs; a message happens by `reading`.
///
/// What was sent and is not in the log of its receiver arrives when that log has been read, in a log of its own.
fn interleavings(model: &Model, logs: &[Local], reading: MessageMoment) -> Vec<Vec<Letter>> {
    let mut all = Vec::new();
    let mut seen = HashSet::new();
    let mut logs = logs.to_vec();
    if reading != MessageMoment::Sendings {
        let (arriving, _) = on_their_way(model, &logs, Hypothesis::Cut, reading);
        let receptions = arriving.into_iter();
        logs.extend(receptions.map(|(letter, number)| vec![(false, letter, number)]));
    }
    extend(
        &logs,
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
    reading: MessageMoment,
    word: &mut Vec<Letter>,
    all: &mut Vec<Vec<Letter>>,
    seen: &mut HashSet<(Vec<usize>, Vec<Letter>)>,
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
            // A message that was only sent happens if it happens when it is sent; else it is a stray.
            let happens = sends && reading == MessageMoment::Sendings;
            cut[log] += 1;
            if happens {
                word.push(letter);
            }
            extend(logs, cut, reading, word, all, seen);
            if happens {
                word.pop();
            }
            cut[log] -= 1;
            continue;
        };
        let reader = if sends { other_log } else { log };
        let is_read = reader < ROLES || cut[letter.2] == logs[letter.2].len();
        match reading {
            MessageMoment::Whole => {
                if sends && cut[other_log] == other_at && is_read {
                    cut[log] += 1;
                    cut[other_log] += 1;
                    word.push(letter);
                    extend(logs, cut, reading, word, all, seen);
                    word.pop();
                    cut[log] -= 1;
                    cut[other_log] -= 1;
                }
            }
            MessageMoment::Sendings | MessageMoment::Receptions => {
                if !sends && (cut[other_log] <= other_at || !is_read) {
                    continue;
                }
                let happens = sends == (reading == MessageMoment::Sendings);
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

fn run(
    model: &Model,
    logs: &[Local],
    hypotheses: &[Hypothesis],
    reading: MessageMoment,
    runs: Runs,
) -> Audit {
    let mut terms = Terms::new();
    let stg = model.stg(&mut terms);
    let files: Vec<Log> = logs
        .iter()
        .enumerate()
        .map(|(role, local)| Log {
            role: format!("r{role}"),
            source: format!("r{role}.jsonl"),
            hypothesis: hypotheses[role],
            promises_data: false,
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
                    observation.id = Some(number.to_string().into());
                    observation
                })
                .collect(),
        })
        .collect();
    let how = Auditing {
        order: Order::Local,
        reading,
        crossing: CrossingMessages::Fails,
        sessions: Sessions::One,
        runs,
        projection: Projection::Remembering,
        empty: Empty::Conforms,
        network: Network::Once,
        integers: Integers::Declared,
        tolerance: 100,
        limit: 1_000_000,
    };
    audit(
        &stg,
        &files,
        &how,
        &mut terms,
        &mut LazySolver::without_any(),
        &Budget::unlimited(),
    )
    .unwrap()
}

fn word(verdict: &Observed) -> &'static str {
    verdict.word()
}

#[test]
fn verdicts_are_those_of_the_naive_twin() {
    let mut random = Random::new(seed_from_env());
    let mut met = BTreeMap::<(&str, bool), usize>::new();
    for _ in 0..rounds(4_000) {
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
        let reading = *random.pick(&[
            MessageMoment::Whole,
            MessageMoment::Sendings,
            MessageMoment::Receptions,
        ]);
        let cut = vec![Hypothesis::Cut; ROLES];
        let audit = run(&model, &logs, &cut, reading, Runs::MayBeUnfinished);
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
        let all = interleavings(&model, &known, reading);
        let sets: Vec<Vec<usize>> = all.iter().map(|word| model.after(word, |_| true)).collect();
        let good = sets.iter().filter(|set| !set.is_empty()).count();
        let verdict = match good {
            0 => "fails",
            good if good == sets.len() => "holds",
            _ => "unknown",
        };
        let (arriving, _) = on_their_way(&model, &known, Hypothesis::Cut, reading);
        let finished = arriving.is_empty() && sets.iter().all(|set| model.may_end(set));
        expected.push(("global".to_owned(), verdict, finished));
        assert_eq!(audit.results.len(), expected.len(), "{}", context());
        for (result, (name, verdict, finished)) in audit.results.iter().zip(&expected) {
            assert_eq!(&result.name, name, "{}", context());
            let found = word(&result.verdict);
            if reading != MessageMoment::Whole && name != "global" && *verdict == "fails" {
                // Delays may explain it, which is asked below; the order that conforms shows it with delays.
                let is_shown = good > 0;
                assert!(!is_shown || found == "holds", "{name}: {}", context());
                *met.entry(("delayed", is_shown)).or_default() += 1;
                continue;
            }
            // Whether something is missing is asked below.
            let fits = found == *verdict || (*verdict == "fails" && found == "unknown");
            assert!(fits, "{name}: {found} for {verdict}: {}", context());
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
        ("delayed", false),
        ("delayed", true),
    ] {
        assert!(met.get(&case).is_some_and(|&count| count > 20), "{met:?}");
    }
}

/// The words of a model, complete or not, up to a length.
fn words(model: &Model, length: usize) -> Vec<(Vec<Letter>, bool)> {
    let mut letters = model.letters();
    letters.sort_unstable();
    letters.dedup();
    let mut words: Vec<(Vec<Letter>, bool)> = Vec::new();
    let mut last: Vec<Vec<Letter>> = vec![Vec::new()];
    for _ in 0..=length {
        let mut next = Vec::new();
        for word in last {
            let at = model.after(&word, |_| true);
            if at.is_empty() {
                continue;
            }
            for &letter in &letters {
                let mut longer = word.clone();
                longer.push(letter);
                next.push(longer);
            }
            words.push((word, model.may_end(&at)));
        }
        last = next;
    }
    words
}

/// A message of the logs: its letter and its places.
type Known = (Letter, Option<(usize, usize)>, Option<(usize, usize)>);

fn known_messages(logs: &[Local]) -> Vec<Known> {
    let mut known: BTreeMap<usize, Known> = BTreeMap::new();
    for (log, local) in logs.iter().enumerate() {
        for (position, &(sends, letter, number)) in local.iter().enumerate() {
            let message = known.entry(number).or_insert((letter, None, None));
            if sends {
                message.1 = Some((log, position))
            } else {
                message.2 = Some((log, position))
            }
        }
    }
    known.into_values().collect()
}

/// Whether a word of the model is what happened when these logs were written: tries every way to say which message of
/// the word is which message of the logs, and looks for an order of all sendings and receptions.
fn explains(
    word: &[Letter],
    known: &[Known],
    taken: &mut Vec<Option<usize>>,
    question: &Completing<'_>,
) -> bool {
    let Some(&(letter, sent, received)) = known.get(taken.len()) else {
        let mut channels = question.channels.iter();
        return channels.all(|(role, logs)| keeps_channels(word, known, taken, *role, logs))
            && is_ordered(word, known, taken, question);
    };
    let number = sent.map(|(log, at)| question.logs[log][at].2);
    let is_stray = received.is_none() && number.is_some_and(|it| question.strays.contains(&it));
    if is_stray {
        taken.push(None);
        let explained = explains(word, known, taken, question);
        taken.pop();
        return explained;
    }
    for (position, &other) in word.iter().enumerate() {
        if other == letter && !taken.contains(&Some(position)) {
            taken.push(Some(position));
            let explained = explains(word, known, taken, question);
            taken.pop();
            if explained {
                return true;
            }
        }
    }
    false
}

#[derive(Debug)]
struct Completing<'c> {
    logs: &'c [Local],
    hypotheses: &'c [Hypothesis],
    strays: Vec<usize>,
    reading: MessageMoment,
    finished: bool,
    /// A role, and all logs, which show the channels to it that kept their order.
    channels: Option<(usize, &'c [Local])>,
}

/// Whether sendings and receptions of a word can be ordered so that all logs agree.
fn is_ordered(
    word: &[Letter],
    known: &[Known],
    taken: &[Option<usize>],
    question: &Completing<'_>,
) -> bool {
    let count = word.len();
    // Sendings are numbered from 0, receptions from `count`; as a whole, a message is both.
    let whole = question.reading == MessageMoment::Whole;
    let reception = |position: usize| if whole { position } else { count + position };
    let mut edges: Vec<(usize, usize)> = Vec::new();
    for position in 0..count {
        if !whole {
            edges.push((position, count + position));
        }
        if position + 1 < count {
            edges.push(match question.reading {
                MessageMoment::Whole | MessageMoment::Sendings => (position, position + 1),
                MessageMoment::Receptions => (count + position, count + position + 1),
            });
        }
    }
    // The happenings of each log in order, and those of the word that it lacks.
    let mut choices: Vec<Vec<(usize, usize)>> = vec![Vec::new()];
    for (role, log) in question.logs.iter().enumerate() {
        let mut told: Vec<usize> = Vec::new();
        for at in 0..log.len() {
            let place = Some((role, at));
            let message = known
                .iter()
                .position(|it| it.1 == place || it.2 == place)
                .unwrap();
            let Some(position) = taken[message] else {
                continue;
            };
            told.push(if known[message].1 == place {
                position
            } else {
                reception(position)
            });
        }
        edges.extend(told.windows(2).map(|pair| (pair[0], pair[1])));
        for (position, letter) in word.iter().enumerate() {
            for (end, happening) in [(letter.1, position), (letter.2, reception(position))] {
                if end != role || told.contains(&happening) {
                    continue;
                }
                // What is received later than the word continues is not part of it.
                let never = question.reading == MessageMoment::Sendings
                    && happening >= count
                    && !question.finished;
                let (before, after): (Vec<_>, Vec<_>) = (
                    told.first()
                        .map(|&it| (happening, it))
                        .into_iter()
                        .collect(),
                    told.last().map(|&it| (it, happening)).into_iter().collect(),
                );
                let allowed = match (question.hypotheses[role], question.finished) {
                    (Hypothesis::Gaps, _) => continue,
                    (Hypothesis::Cut, true) => return false,
                    _ if never => continue,
                    (Hypothesis::Cut, false) => vec![after],
                    (Hypothesis::Late, true) => vec![before],
                    (Hypothesis::Late, false) => vec![before, after],
                };
                choices = choices
                    .iter()
                    .flat_map(|chosen| {
                        allowed.iter().map(move |more| {
                            let mut chosen = chosen.clone();
                            chosen.extend(more);
                            chosen
                        })
                    })
                    .collect();
            }
        }
    }
    choices.iter().any(|chosen| {
        let all: Vec<(usize, usize)> = edges.iter().chain(chosen).copied().collect();
        is_acyclic(2 * count, &all)
    })
}

fn is_acyclic(nodes: usize, edges: &[(usize, usize)]) -> bool {
    let mut left: Vec<usize> = (0..nodes).collect();
    loop {
        let before = left.len();
        let free: Vec<usize> = left
            .iter()
            .copied()
            .filter(|&node| {
                let mut into = edges.iter().filter(|edge| edge.1 == node);
                into.all(|edge| !left.contains(&edge.0))
            })
            .collect();
        left.retain(|node| !free.contains(node));
        if left.is_empty() || left.len() == before {
            return left.is_empty();
        }
    }
}

/// Whether the senders whom a role hears in the order in which they spoke, as both logs show, also speak in that order
/// in a word.
fn keeps_channels(
    word: &[Letter],
    known: &[Known],
    taken: &[Option<usize>],
    role: usize,
    logs: &[Local],
) -> bool {
    (0..ROLES).all(|from| {
        let of_channel = |it: &&(bool, Letter, usize)| it.1.1 == from && it.1.2 == role;
        let numbers = |log: usize, sends: bool| -> Vec<usize> {
            let log = logs[log].iter().filter(of_channel);
            log.filter(|it| it.0 == sends).map(|it| it.2).collect()
        };
        let (sent, received) = (numbers(from, true), numbers(role, false));
        if !sent.starts_with(&received) {
            return true;
        }
        let mut receptions: Vec<(usize, usize)> = Vec::new();
        for (message, position) in known.iter().zip(taken) {
            let is_here = message.0.1 == from && message.0.2 == role;
            if let (true, Some((_, at)), Some(position)) = (is_here, message.2, position) {
                receptions.push((at, *position));
            }
        }
        receptions.sort_unstable();
        let is_sorted = receptions.windows(2).all(|pair| pair[0].1 < pair[1].1);
        let last = receptions.last().map_or(0, |it| it.1);
        // What is still in transit was sent after what arrived.
        let overtaken = word[..last].iter().enumerate().any(|(position, letter)| {
            let is_taken = receptions.iter().any(|it| it.1 == position);
            letter.1 == from && letter.2 == role && !is_taken
        });
        is_sorted && !overtaken
    })
}

/// Whether some word shows the log of one role, if nothing else is known of the others than which channels kept their
/// order.
fn is_shown(words: &[(Vec<Letter>, bool)], role: usize, question: &Completing<'_>) -> bool {
    let mut logs = vec![Local::new(); ROLES];
    logs[role].clone_from(&question.logs[role]);
    let mut hypotheses = vec![Hypothesis::Gaps; ROLES];
    hypotheses[role] = question.hypotheses[role];
    let is_cut = hypotheses[role] == Hypothesis::Cut;
    let in_order = is_cut && question.reading == MessageMoment::Sendings;
    let alone = Completing {
        logs: &logs,
        hypotheses: &hypotheses,
        strays: Vec::new(),
        channels: in_order.then_some((role, question.logs)),
        ..*question
    };
    let known = known_messages(&logs);
    let mut words = words.iter().filter(|it| it.1 || !question.finished);
    words.any(|(word, _)| explains(word, &known, &mut Vec::new(), &alone))
}

#[test]
fn logs_fail_just_when_no_completion_conforms() {
    let mut random = Random::new(seed_from_env());
    let mut met = BTreeMap::<(&str, Hypothesis, bool), usize>::new();
    for _ in 0..rounds(500) {
        let mut model = model(&mut random);
        model.nodes = model.nodes.min(3);
        model.edges.truncate(4);
        model
            .edges
            .retain(|edge| edge.0 < model.nodes && edge.2 < model.nodes);
        let mut logs = logs(&mut random, &model);
        for log in &mut logs {
            log.retain(|it| it.2 < 5 - model.nodes && model.letters().contains(&it.1));
        }
        let hypothesis = *random.pick(&[Hypothesis::Cut, Hypothesis::Gaps, Hypothesis::Late]);
        for log in &mut logs {
            let gone = |random: &mut Random, log: &Local| {
                if random.percent(30) {
                    random.below(log.len() + 1)
                } else {
                    0
                }
            };
            match hypothesis {
                Hypothesis::Gaps => log.retain(|_| random.percent(80)),
                Hypothesis::Cut => log.truncate(log.len() - gone(&mut random, log)),
                Hypothesis::Late => {
                    log.drain(..gone(&mut random, log));
                }
            }
        }
        let hypotheses = vec![hypothesis; ROLES];
        let finished = random.percent(25);
        let runs = if finished {
            Runs::MustBeFinished
        } else {
            Runs::MayBeUnfinished
        };
        let reading = *random.pick(&[
            MessageMoment::Whole,
            MessageMoment::Sendings,
            MessageMoment::Receptions,
        ]);
        let audit = run(&model, &logs, &hypotheses, reading, runs);
        let known = known_messages(&logs);
        let question = Completing {
            logs: &logs,
            hypotheses: &hypotheses,
            strays: if finished {
                Vec::new()
            } else {
                on_their_way(&model, &logs, hypothesis, reading).1
            },
            reading,
            finished,
            channels: None,
        };
        // Between two known messages there is no need to visit a node twice.
        let length = known.len() + (known.len() + 1) * (model.nodes - 1);
        let words = words(&model, length);
        let conforms = words
            .iter()
            .filter(|(_, ends)| *ends || !finished)
            .any(|(word, _)| explains(word, &known, &mut Vec::new(), &question));
        let Some(result) = audit.results.iter().find(|it| it.name == "global") else {
            continue;
        };
        let found = word(&result.verdict);
        let context = || format!("{found}: {model:?} {logs:?} {reading:?} {hypothesis:?} {runs:?}");
        assert!(found != "fails" || !conforms, "{}", context());
        // Sendings are taken as early as can be, so by receptions a late log may lack more than it could.
        let exact = reading != MessageMoment::Receptions || hypothesis != Hypothesis::Late;
        assert!(found == "fails" || conforms || !exact, "{}", context());
        *met.entry((found, hypothesis, finished)).or_default() += 1;
        if reading != MessageMoment::Whole {
            judge_roles(&model, &audit, &words, &question, &mut BTreeMap::new());
        }
    }
    assert!(met.len() >= 12, "{met:?}");
}

/// How often roles were judged how, by mode; those that only delays explain are late.
type Roles = BTreeMap<(&'static str, String), usize>;

fn judge_roles(
    model: &Model,
    audit: &Audit,
    words: &[(Vec<Letter>, bool)],
    question: &Completing<'_>,
    met: &mut Roles,
) {
    for (role, log) in question.logs.iter().enumerate() {
        let name = format!("r{role}");
        let Some(result) = audit.results.iter().find(|it| it.name == name) else {
            continue;
        };
        let found = word(&result.verdict);
        let is_shown = is_shown(words, role, question);
        let context = || format!("{name} {found}, shown {is_shown}: {model:?} {question:?}");
        assert!(found != "fails" || !is_shown, "{}", context());
        assert!(found != "holds" || is_shown, "{}", context());
        let is_exact = question.hypotheses[role] == Hypothesis::Cut;
        assert!(found == "holds" || !is_shown || !is_exact, "{}", context());
        let letters: Vec<Letter> = log.iter().map(|it| it.1).collect();
        let at = model.after(&letters, |it| it.1 == role || it.2 == role);
        let is_late = found == "holds" && at.is_empty();
        let case = if is_late { "late" } else { found };
        let mode = format!("{:?}", question.reading);
        *met.entry((case, mode)).or_default() += 1;
    }
}

#[test]
fn a_role_conforms_just_when_a_run_with_delays_shows_its_log() {
    let mut random = Random::new(seed_from_env());
    let mut met = Roles::new();
    for _ in 0..rounds(1_000) {
        // A model without loops has few runs, so they may be longer.
        let mut model = model(&mut random);
        model.nodes = 7;
        model.ends.resize(7, true);
        let letters: Vec<Letter> = (0..4)
            .map(|operation| {
                let from = random.below(3);
                (operation, from, (from + 1 + random.below(2)) % 3)
            })
            .collect();
        let branches: Vec<usize> = (0..random.below(4)).map(|_| random.below(6)).collect();
        model.edges = (0..6)
            .chain(branches)
            .map(|node| {
                let target = (node + 1 + random.below(2)).min(6);
                (node, Some(*random.pick(&letters)), target)
            })
            .collect();
        let mut logs = logs(&mut random, &model);
        for log in &mut logs {
            log.retain(|it| model.letters().contains(&it.1));
            for _ in 0..random.below(3) {
                if log.len() > 1 {
                    let at = random.below(log.len() - 1);
                    log.swap(at, at + 1);
                }
            }
        }
        let reading = *random.pick(&[MessageMoment::Sendings, MessageMoment::Receptions]);
        let finished = random.percent(25);
        let runs = if finished {
            Runs::MustBeFinished
        } else {
            Runs::MayBeUnfinished
        };
        let hypotheses = vec![Hypothesis::Cut; ROLES];
        let audit = run(&model, &logs, &hypotheses, reading, runs);
        let question = Completing {
            logs: &logs,
            hypotheses: &hypotheses,
            strays: Vec::new(),
            reading,
            finished,
            channels: None,
        };
        let words = words(&model, 6);
        judge_roles(&model, &audit, &words, &question, &mut met);
    }
    // In each mode logs that only delays explain, and some that nothing does.
    for case in ["late", "holds", "fails"] {
        let often = met
            .iter()
            .filter(|(it, count)| it.0 == case && **count > 20);
        assert_eq!(often.count(), 2, "{met:?}");
    }
}

/// A run of services of which some do their part and others send what they like, messages delivered at once, perhaps
/// twice.
fn joint_run(random: &mut Random, model: &Model) -> (Vec<Local>, Vec<bool>) {
    let mut letters = model.letters();
    letters.sort_unstable();
    letters.dedup();
    let wrong: Vec<bool> = (0..ROLES).map(|_| random.percent(20)).collect();
    let mut logs = vec![Local::new(); ROLES];
    for number in 0..random.below(7) {
        if letters.is_empty() {
            break;
        }
        let letter = *random.pick(&letters);
        let word: Vec<Letter> = logs[letter.1].iter().map(|it| it.1).collect();
        let sees = |it: Letter| it.1 == letter.1 || it.2 == letter.1;
        let after = |word: &[Letter]| model.after(word, sees);
        let longer: Vec<Letter> = word.iter().copied().chain([letter]).collect();
        // Once it was told what it could not expect, a service may do anything.
        let does_its_part = after(&word).is_empty() || !after(&longer).is_empty();
        if !does_its_part && !wrong[letter.1] {
            continue;
        }
        logs[letter.1].push((true, letter, number));
        logs[letter.2].push((false, letter, number));
        if random.percent(5) {
            logs[letter.2].push((false, letter, number));
        }
    }
    (logs, wrong)
}

#[test]
fn guilty_is_who_leaves_the_choreography_by_a_sending() {
    let mut random = Random::new(seed_from_env());
    let (mut found_guilty, mut races, mut conforming) = (0, 0, 0);
    for _ in 0..rounds(3_000) {
        let model = model(&mut random);
        let (logs, wrong) = joint_run(&mut random, &model);
        let cut = vec![Hypothesis::Cut; ROLES];
        let audit = run(
            &model,
            &logs,
            &cut,
            MessageMoment::Whole,
            Runs::MayBeUnfinished,
        );
        let context = || format!("{model:?} {logs:?} {wrong:?}");
        let expected: Vec<String> = (0..ROLES)
            .filter(|&role| {
                let word: Vec<Letter> = logs[role].iter().map(|it| it.1).collect();
                let sees = |it: Letter| it.1 == role || it.2 == role;
                let stuck =
                    (1..=word.len()).find(|&length| model.after(&word[..length], sees).is_empty());
                stuck.is_some_and(|length| logs[role][length - 1].0)
            })
            .map(|role| format!("r{role}"))
            .collect();
        let mut guilty: Vec<String> = audit
            .blame
            .guilty
            .iter()
            .map(|it| it.role.clone())
            .collect();
        guilty.sort();
        assert_eq!(guilty, expected, "{}", context());
        for (role, wrong) in wrong.iter().enumerate() {
            let blamed = guilty.contains(&format!("r{role}"));
            assert!(*wrong || !blamed, "r{role} did its part: {}", context());
        }
        let Some(global) = audit.results.iter().find(|it| it.name == "global") else {
            continue;
        };
        let once = logs.iter().all(|log| {
            let mut seen = HashSet::new();
            log.iter().all(|it| seen.insert((it.0, it.2)))
        });
        if word(&global.verdict) == "fails" && once {
            // Someone is named: a role, one that a log is missing of, or the choreography.
            let blame = &audit.blame;
            let named = !guilty.is_empty() || !blame.may_be.is_empty() || blame.races > 0;
            assert!(named, "{}", context());
            races += usize::from(guilty.is_empty());
        }
        found_guilty += usize::from(!guilty.is_empty());
        conforming += usize::from(word(&global.verdict) == "holds");
    }
    let met = (found_guilty, races, conforming);
    assert!(
        found_guilty > 100 && races > 5 && conforming > 100,
        "{met:?}"
    );
}

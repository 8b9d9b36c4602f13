//! Which kind of records is which message: by names, by who sends to whom, and by the fields that are there.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Envelope, KnownMessage, Vocabulary};

use super::SampledLog;
use super::control::Exchanges;
use super::kinds::{Call, Kind};
use super::words::{likeness, request_likeness, words};

/// Which kinds are which messages.
#[derive(Debug, Clone, Default)]
pub(super) struct Assignment {
    /// By the number of the kind: the messages that it may be, the best first; several where nothing tells.
    pub(super) calls: BTreeMap<usize, Vec<usize>>,
    /// By the number of the kind: what its responses are.
    pub(super) answers: BTreeMap<usize, Vec<Answer>>,
}

/// A response of a kind of requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) look: AnswerLook,
    pub(super) count: u64,
    /// The messages that it may be; several where nothing tells.
    pub(super) messages: Vec<usize>,
    pub(super) how: &'static str,
}

/// What tells responses apart.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct AnswerLook {
    pub(super) status: Option<u16>,
    /// A place in the body and the text there.
    pub(super) value: Option<(String, String)>,
}

impl Assignment {
    /// The message that a kind is, where one is best.
    pub(super) fn message_of(&self, kind: usize) -> Option<usize> {
        match self.calls.get(&kind).map(Vec::as_slice) {
            Some([only]) => Some(*only),
            _ => None,
        }
    }
}

/// Points that settle which message is meant, in hundredths.
const ENOUGH: u32 = 40;
/// Readings that are closer than this are equally good.
const CLOSE: u32 = 12;

/// Assigns kinds to messages.
pub(super) fn assign(
    vocabulary: &Vocabulary,
    exchanges: &Exchanges,
    kinds: &[Kind],
    logs: &[SampledLog],
) -> Assignment {
    let mut points: Vec<(u32, usize, usize)> = Vec::new();
    for (kind_number, kind) in kinds.iter().enumerate() {
        for (number, message) in vocabulary.messages.iter().enumerate() {
            let may_be = match kind.call {
                Call::Request { .. } => exchanges.requests.contains(&number),
                Call::Named(_) => true,
            };
            if may_be {
                let found = likely(message, kind, logs);
                points.extend(found.map(|points| (points, kind_number, number)));
            }
        }
    }
    only_candidates(vocabulary, exchanges, kinds, &mut points);
    points.sort_by_key(|(points, kind, message)| (std::cmp::Reverse(*points), *kind, *message));
    let mut assignment = Assignment::default();
    let mut taken: BTreeSet<usize> = BTreeSet::new();
    for &(best, kind, message) in &points {
        if assignment.calls.contains_key(&kind) {
            continue;
        }
        // A message that has a request needs no other one; events may have several names.
        let is_request = matches!(kinds[kind].call, Call::Request { .. });
        if taken.contains(&message) && (is_request || best < 90) {
            continue;
        }
        let others = points.iter().filter(|(others, other_kind, other)| {
            *other_kind == kind
                && *other != message
                && !taken.contains(other)
                && others + CLOSE > best
        });
        let mut messages = vec![message];
        messages.extend(others.map(|(_, _, other)| *other));
        if messages.len() == 1 {
            taken.insert(message);
        }
        assignment.calls.insert(kind, messages);
    }
    assignment
}

/// How much a kind looks like a message; none if it cannot be that.
fn likely(message: &KnownMessage, kind: &Kind, logs: &[SampledLog]) -> Option<u32> {
    let differs =
        |known: &BTreeSet<String>, role: &String| !known.is_empty() && !known.contains(role);
    if differs(&kind.from, &message.from) || differs(&kind.to, &message.to) {
        return None;
    }
    let name = match &kind.call {
        Call::Request { method, path } => request_likeness(&message.name, method.as_deref(), path),
        Call::Named(_) => names(kind, logs)
            .iter()
            .map(|name| likeness(&message.name, name))
            .max()
            .unwrap_or(0),
    };
    if name == 0 {
        return None;
    }
    let known_ends = u32::from(!kind.from.is_empty()) + u32::from(!kind.to.is_empty());
    let points = name + 5 * known_ends + fields_there(message, kind, logs) / 5;
    (points >= ENOUGH).then_some(points)
}

/// The names of a kind: its records may have several.
fn names(kind: &Kind, logs: &[SampledLog]) -> BTreeSet<String> {
    let few = kind.records.iter().take(20);
    let records = few.map(|id| &logs[id.log].records[id.record].envelope);
    records.flat_map(|it| it.names.iter().cloned()).collect()
}

/// How many of a message's fields a kind has, in hundredths.
fn fields_there(message: &KnownMessage, kind: &Kind, logs: &[SampledLog]) -> u32 {
    let fields: Vec<&String> = message.fields.iter().flatten().collect();
    if fields.is_empty() {
        return 0;
    }
    let few = kind.records.iter().take(20);
    let labels: BTreeSet<String> = few
        .flat_map(|id| labels(&logs[id.log].records[id.record].envelope))
        .collect();
    let there = fields
        .iter()
        .filter(|field| labels.contains(&words(field).concat()));
    (there.count() * 100 / fields.len()) as u32
}

/// The last labels of everything that a request or a message carries.
fn labels(envelope: &Envelope) -> BTreeSet<String> {
    let attributes = envelope.attributes.iter();
    let attributes = attributes.filter(|it| envelope.is_data(&it.0));
    let values = envelope.content.body.iter().chain(attributes);
    let last = |path: &str| {
        let label = path.rsplit('.').next().unwrap_or(path);
        words(label).concat()
    };
    let mut labels: BTreeSet<String> = values.map(|(path, _)| last(path)).collect();
    if let Some(http) = &envelope.http {
        labels.extend(http.query.iter().map(|(name, _)| last(name)));
    }
    labels
}

/// The only kind between two roles is the only message between them, whatever it is called.
fn only_candidates(
    vocabulary: &Vocabulary,
    exchanges: &Exchanges,
    kinds: &[Kind],
    points: &mut Vec<(u32, usize, usize)>,
) {
    for (number, kind) in kinds.iter().enumerate() {
        let is_request = matches!(kind.call, Call::Request { .. });
        if points.iter().any(|(_, it, _)| *it == number)
            || kind.from.len() != 1
            || kind.to.len() != 1
        {
            continue;
        }
        let between = |it: &&(usize, &KnownMessage)| {
            kind.from.contains(&it.1.from)
                && kind.to.contains(&it.1.to)
                && (!is_request || exchanges.requests.contains(&it.0))
        };
        let all: Vec<(usize, &KnownMessage)> = vocabulary.messages.iter().enumerate().collect();
        let messages: Vec<usize> = all.iter().filter(between).map(|it| it.0).collect();
        let same = kinds
            .iter()
            .filter(|it| it.from == kind.from && it.to == kind.to);
        if let ([message], 1) = (&messages[..], same.count()) {
            points.push((ENOUGH, number, *message));
        } else {
            // Everything between them is possible; the order of conversations may tell.
            points.extend(messages.into_iter().map(|it| (ENOUGH - 1, number, it)));
        }
    }
}

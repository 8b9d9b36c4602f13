//! Messages that say by the usual labels what they are: `type`, `from`, `to`, `payload`.

use std::borrow::Cow;

use choros_bind::{Envelope, Side};
use choros_model::observation::Datum;

use super::http::tree_body;
use crate::log::time::{TimeForm, moment};
use crate::log::tree::Tree;

// Whether words are separated by `_`, `-`, a blank or a capital letter makes no difference.
const TYPES: [&str; 10] = [
    "op",
    "operation",
    "type",
    "event_type",
    "message_type",
    "__typeid__",
    "event",
    "event_name",
    "activity",
    "concept:name",
];
const SENDERS: [&str; 7] = [
    "from",
    "source",
    "sender",
    "producer",
    "src",
    "resource",
    "org:resource",
];
const RECEIVERS: [&str; 7] = [
    "to",
    "destination",
    "receiver",
    "target",
    "recipient",
    "dest",
    "consumer",
];
const WRITERS: [&str; 5] = ["by", "service", "service_name", "service.name", "app"];
const SESSIONS: [&str; 7] = [
    "session",
    "session_id",
    "correlation_id",
    "conversation_id",
    "trace_id",
    "case_id",
    "case:concept:name",
];
const IDS: [&str; 3] = ["message_id", "msg_id", "id"];
const TIMES: [&str; 8] = [
    "at",
    "time",
    "timestamp",
    "@timestamp",
    "ts",
    "datetime",
    "event_time",
    "time:timestamp",
];
const DIRECTIONS: [&str; 3] = ["dir", "direction", "action"];
/// How `capture` says that a body was not kept whole, or not read.
const UNKEPT: [&str; 2] = ["truncated", "unread"];
const BODIES: [&str; 5] = ["payload", "data", "body", "value", "message"];

/// All labels that say something about a message.
pub(super) const OWN: &[&[&str]] = &[
    &TYPES,
    &SENDERS,
    &RECEIVERS,
    &WRITERS,
    &SESSIONS,
    &IDS,
    &TIMES,
    &DIRECTIONS,
];

/// Takes from an object what its labels say.
///
/// An object with a body says the rest about it; without one, all of it is the body.
pub(super) fn read(tree: &Tree<'_>, envelope: &mut Envelope) {
    let fields = tree.fields();
    let find = |labels: &[&str]| {
        labels.iter().find_map(|label| {
            let known = fields.iter().find(|(it, _)| is_same_label(it, label));
            known.and_then(|(_, value)| value.word())
        })
    };
    let is_body = |value: &Tree<'_>| match value {
        Tree::Scalar(Datum::Text(text)) => text.trim_start().starts_with(['{', '[']),
        other => other.is_object(),
    };
    let bodies = BODIES.iter().filter_map(|label| {
        let found = fields.iter().find(|(it, _)| it.eq_ignore_ascii_case(label));
        found.filter(|(_, value)| is_body(value))
    });
    let body = bodies.map(|(label, value)| (label.clone(), value)).next();
    envelope.names.extend(find(&TYPES));
    envelope.from = find(&SENDERS).or(envelope.from.take());
    envelope.to = find(&RECEIVERS).or(envelope.to.take());
    envelope.by = find(&WRITERS).or(envelope.by.take());
    envelope.session = find(&SESSIONS).or(envelope.session.take());
    if body.is_some() {
        envelope.id = find(&IDS).or(envelope.id.take());
    }
    if envelope.at.is_none() {
        let time = TIMES.iter().find_map(|label| {
            let known = fields.iter().find(|(it, _)| is_same_label(it, label));
            known.map(|(_, value)| value)
        });
        envelope.at = time.and_then(|time| match time.number() {
            Some(number) => TimeForm::Milliseconds.milliseconds(&Datum::Number(number)),
            None => moment(time.text()?),
        });
    }
    if let Some(direction) = find(&DIRECTIONS) {
        envelope.side = side(&direction).or(envelope.side);
    }
    match body {
        None => tree_body(tree, &mut envelope.content),
        Some((label, body)) => {
            if envelope.own.is_empty() {
                envelope.own = OWN;
            }
            let is_unkept = |(label, value): &(Cow<'_, str>, Tree<'_>)| {
                UNKEPT.contains(&&**label) && !matches!(value, Tree::Scalar(Datum::Bool(false)))
            };
            if !fields.iter().any(is_unkept) {
                tree_body(body, &mut envelope.content);
            }
            for (other, value) in fields.iter().filter(|(other, _)| *other != label) {
                value.flatten(other, &mut envelope.attributes);
            }
        }
    }
}

/// Takes from headers what their names say, where the body has not said it.
pub(super) fn read_headers(envelope: &mut Envelope) {
    let headers = &envelope.content.headers;
    let find = |labels: &[&str]| {
        labels.iter().find_map(|label| {
            let known = headers.iter().find(|(it, _)| is_same_label(it, label));
            known.map(|(_, value)| value.clone())
        })
    };
    if let Some(name) = find(&TYPES) {
        envelope.names.insert(0, name);
    }
    envelope.from = find(&SENDERS).or(envelope.from.take());
    envelope.to = find(&RECEIVERS).or(envelope.to.take());
    envelope.session = find(&SESSIONS).or(envelope.session.take());
}

/// Whether two labels are the same but for capital letters and what separates their words.
fn is_same_label(one: &str, other: &str) -> bool {
    plain_letters(one).eq(plain_letters(other))
}

fn plain_letters(label: &str) -> impl Iterator<Item = u8> {
    let letters = label
        .bytes()
        .filter(|byte| !matches!(byte, b'_' | b'-' | b' '));
    letters.map(|byte| byte.to_ascii_lowercase())
}

pub(super) fn side(word: &str) -> Option<Side> {
    match word.to_ascii_lowercase().as_str() {
        "send" | "sent" | "sending" | "publish" | "produce" | "out" | "outbound" => {
            Some(Side::Sender)
        }
        "recv" | "receive" | "received" | "consume" | "in" | "inbound" => Some(Side::Receiver),
        _ => None,
    }
}

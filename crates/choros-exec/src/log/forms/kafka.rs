//! Records of Kafka: `kcat -J` (the payload is a text), and dumps with a `value`.

use choros_bind::Envelope;
use choros_model::observation::{Datum, Number};

use super::http::tree_body;
use super::{cloud_events, named};
use crate::log::problem::RecordFlaw;
use crate::log::time::{TimeForm, moment};
use crate::log::tree::Tree;

const LABELS: [&str; 10] = [
    "topic",
    "partition",
    "offset",
    "ts",
    "timestamp",
    "time",
    "tstype",
    "broker",
    "key",
    "headers",
];
const OWN: &[&[&str]] = &[
    &LABELS,
    &cloud_events::CONTEXT,
    &cloud_events::RECEIVERS,
    named::OWN[0],
    named::OWN[1],
    named::OWN[2],
    named::OWN[3],
    named::OWN[4],
    named::OWN[5],
    named::OWN[6],
    named::OWN[7],
];

pub(super) fn envelope(tree: &Tree<'_>, line: u64) -> Result<Envelope, RecordFlaw> {
    let topic = tree.get("topic").and_then(Tree::word);
    let mut envelope = Envelope {
        line,
        topic,
        session: tree.get("key").and_then(Tree::word),
        at: time(tree)?,
        own: OWN,
        ..Envelope::default()
    };
    if let Some(headers) = tree.get("headers") {
        read_headers(headers, &mut envelope.content.headers);
    }
    let (partition, offset) = (tree.get("partition"), tree.get("offset"));
    if let (Some(topic), Some(partition), Some(offset)) = (
        &envelope.topic,
        partition.and_then(Tree::word),
        offset.and_then(Tree::word),
    ) {
        envelope.id = Some(format!("{topic}-{partition}-{offset}"));
    }
    for (label, value) in tree.fields() {
        if !matches!(&**label, "payload" | "value" | "headers") {
            value.flatten(label, &mut envelope.attributes);
        }
    }
    let payload = tree.first(&["payload", "value"]);
    match payload {
        // What the payload says of itself comes with the headers.
        Some(tree @ Tree::Object(_)) => named::read(tree, &mut envelope),
        Some(Tree::Scalar(Datum::Text(text))) => match Tree::read(text) {
            Ok(tree @ Tree::Object(_)) => named::read(&tree, &mut envelope),
            _ => tree_body(
                &Tree::Scalar(Datum::Text(text.clone())),
                &mut envelope.content,
            ),
        },
        Some(other) => tree_body(other, &mut envelope.content),
        None => {}
    }
    named::read_headers(&mut envelope);
    cloud_events::binary(&mut envelope);
    envelope.names.extend(envelope.topic.clone());
    Ok(envelope)
}

/// `ts` and `timestamp` in milliseconds, or as a date.
fn time(tree: &Tree<'_>) -> Result<Option<Number>, RecordFlaw> {
    let Some(written) = tree.first(&["ts", "timestamp", "time"]) else {
        return Ok(None);
    };
    let read = match written.number() {
        // Kafka writes -1 where it has no time.
        Some(number) if number < Number::from(0) => return Ok(None),
        Some(number) => TimeForm::Milliseconds.milliseconds(&Datum::Number(number)),
        None => written.text().and_then(moment),
    };
    read.map(Some).ok_or_else(|| RecordFlaw::WrongType {
        field: "ts",
        found: "not a time between 1970 and 9999".to_owned(),
    })
}

/// Names and values in turn, as `kcat` writes them; pairs; or an object.
fn read_headers(tree: &Tree<'_>, into: &mut Vec<(String, String)>) {
    let mut put = |name: &str, value: &Tree<'_>| {
        let value = value.word().unwrap_or_default();
        into.push((name.to_ascii_lowercase(), value));
    };
    match tree {
        Tree::Object(fields) => fields.iter().for_each(|(name, value)| put(name, value)),
        Tree::List(items) if items.first().is_some_and(Tree::is_object) => {
            for item in items {
                let name = item.first(&["key", "name"]).and_then(Tree::text);
                if let (Some(name), Some(value)) = (name, item.get("value")) {
                    put(name, value);
                }
            }
        }
        Tree::List(items) => {
            for pair in items.chunks_exact(2) {
                if let Some(name) = pair[0].text() {
                    put(name, &pair[1]);
                }
            }
        }
        Tree::Scalar(_) => {}
    }
}

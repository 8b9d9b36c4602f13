//! CloudEvents 1.0: structured (an event per line, a list of them), and binary, where the attributes are headers.

use choros_bind::Envelope;
use choros_model::observation::Datum;

use super::http::{open_body, tree_body};
use crate::log::problem::RecordFlaw;
use crate::log::time::moment;
use crate::log::tree::Tree;

/// What the standard says about every event.
pub(super) const CONTEXT: [&str; 8] = [
    "specversion",
    "type",
    "source",
    "id",
    "time",
    "subject",
    "datacontenttype",
    "dataschema",
];

/// What an event calls its receiver; the standard has no attribute for it.
pub(super) const RECEIVERS: [&str; 5] = ["to", "destination", "recipient", "target", "receiver"];

pub(super) fn envelope(tree: &Tree<'_>, line: u64) -> Result<Envelope, RecordFlaw> {
    let mut envelope = Envelope {
        line,
        own: &[&CONTEXT, &RECEIVERS],
        ..Envelope::default()
    };
    if !take_place(&mut envelope, |name| tree.get(name).and_then(Tree::word)) {
        return Err(RecordFlaw::Missing("type"));
    }
    if let (None, Some(time)) = (&envelope.at, tree.get("time").and_then(Tree::text)) {
        return Err(RecordFlaw::WrongType {
            field: "time",
            found: format!("not a time between 1970 and 9999: {time}"),
        });
    }
    for (label, value) in tree.fields() {
        match &**label {
            "data" => tree_body(value, &mut envelope.content),
            "data_base64" => envelope.content.closed = value.word(),
            other => value.flatten(other, &mut envelope.attributes),
        }
    }
    Ok(envelope)
}

/// An event in binary mode is recognised by its headers: `ce-type` over HTTP, `ce_type` in Kafka.
pub(super) fn binary(envelope: &mut Envelope) {
    let headers = std::mem::take(&mut envelope.content.headers);
    let is_event = take_place(envelope, |name| {
        let is_it = |it: &&(String, String)| attribute(&it.0) == Some(name);
        headers.iter().find(is_it).map(|(_, value)| value.clone())
    });
    if is_event {
        let named = headers.iter().filter_map(|(name, value)| {
            Some((
                attribute(name)?.to_owned(),
                Datum::Untyped(value.clone().into()),
            ))
        });
        envelope.attributes.extend(named);
    }
    // A structured event may be the whole body.
    let is_structured = headers.iter().any(|(name, value)| {
        name == "content-type"
            && value
                .trim_start()
                .starts_with("application/cloudevents+json")
    });
    envelope.content.headers = headers;
    if is_structured {
        structured(envelope);
    }
}

/// The attribute that a header is.
fn attribute(header: &str) -> Option<&str> {
    header.strip_prefix("ce-").or(header.strip_prefix("ce_"))
}

fn structured(envelope: &mut Envelope) {
    let body = std::mem::take(&mut envelope.content.body);
    let is_event = take_place(envelope, |name| {
        let found = body.iter().find(|(path, _)| path == name);
        found.map(|(_, value)| value.key().into_owned())
    });
    if !is_event {
        envelope.content.body = body;
        return;
    }
    for (path, value) in body {
        match path.strip_prefix("data.") {
            Some(below) => envelope.content.body.push((below.to_owned(), value)),
            None if path == "data" => open_body(&value.key(), &mut envelope.content),
            None => envelope.attributes.push((path, value)),
        }
    }
}

/// The attributes of an event take the place of what the message that carries it says; false if it has no type.
fn take_place(envelope: &mut Envelope, find: impl Fn(&str) -> Option<String>) -> bool {
    let Some(name) = find("type") else {
        return false;
    };
    envelope.names.insert(0, name);
    let receiver = RECEIVERS.iter().find_map(|name| find(name));
    for (part, found) in [
        (&mut envelope.from, find("source")),
        (&mut envelope.session, find("subject")),
        (&mut envelope.id, find("id")),
        (&mut envelope.to, receiver),
    ] {
        *part = found.or(part.take());
    }
    let at = find("time").and_then(|time| moment(&time));
    envelope.at = at.or(envelope.at.take());
    true
}

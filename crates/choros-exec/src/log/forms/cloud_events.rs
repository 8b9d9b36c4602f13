//! CloudEvents 1.0: structured (an event per line, a list of them), and binary, where the attributes are headers.

use choros_bind::Envelope;
use choros_model::observation::Datum;

use super::http::{open_body, tree_body};
use crate::log::problem::RecordFlaw;
use crate::log::time::moment;
use crate::log::tree::Tree;

/// What an event calls its receiver; the standard has no attribute for it.
const RECEIVERS: [&str; 5] = ["to", "destination", "recipient", "target", "receiver"];

pub(super) fn envelope(tree: &Tree<'_>, line: u64) -> Result<Envelope, RecordFlaw> {
    let word = |label: &str| tree.get(label).and_then(Tree::word);
    let name = word("type").ok_or(RecordFlaw::Missing("type"))?;
    let mut envelope = Envelope {
        line,
        names: vec![name],
        from: word("source"),
        to: tree.first(&RECEIVERS).and_then(Tree::word),
        session: word("subject"),
        id: word("id"),
        ..Envelope::default()
    };
    if let Some(time) = tree.get("time").and_then(Tree::text) {
        let at = moment(time).ok_or_else(|| RecordFlaw::WrongType {
            field: "time",
            found: format!("not a time between 1970 and 9999: {time}"),
        })?;
        envelope.at = Some(at);
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
    let find = |name: &str| {
        let known = |(known, _): &&(String, String)| {
            let rest = known.strip_prefix("ce-").or(known.strip_prefix("ce_"));
            rest == Some(name)
        };
        headers.iter().find(known).map(|(_, value)| value.clone())
    };
    if let Some(name) = find("type") {
        envelope.names.insert(0, name);
        envelope.from = find("source").or(envelope.from.take());
        envelope.session = find("subject").or(envelope.session.take());
        envelope.id = find("id").or(envelope.id.take());
        let receiver = RECEIVERS.iter().find_map(|name| find(name));
        envelope.to = receiver.or(envelope.to.take());
        let at = find("time").and_then(|time| moment(&time));
        envelope.at = at.or(envelope.at.take());
        for (name, value) in &headers {
            let rest = name.strip_prefix("ce-").or(name.strip_prefix("ce_"));
            if let Some(rest) = rest {
                let value = Datum::Untyped(value.clone().into());
                envelope.attributes.push((rest.to_owned(), value));
            }
        }
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

/// An event that is the body of a message takes the place of what the message itself says.
fn structured(envelope: &mut Envelope) {
    let body = &envelope.content.body;
    let find = |name: &str| {
        let found = body.iter().find(|(path, _)| path == name);
        found.map(|(_, value)| value.key().into_owned())
    };
    let Some(name) = find("type") else { return };
    envelope.names.insert(0, name);
    envelope.from = find("source").or(envelope.from.take());
    envelope.session = find("subject").or(envelope.session.take());
    envelope.id = find("id").or(envelope.id.take());
    let receiver = RECEIVERS.iter().find_map(|name| find(name));
    envelope.to = receiver.or(envelope.to.take());
    let at = find("time").and_then(|time| moment(&time));
    envelope.at = at.or(envelope.at.take());
    let body = std::mem::take(&mut envelope.content.body);
    for (path, value) in body {
        match path.strip_prefix("data.") {
            Some(below) => envelope.content.body.push((below.to_owned(), value)),
            None if path == "data" => open_body(&value.key(), &mut envelope.content),
            None => envelope.attributes.push((path, value)),
        }
    }
}

//! Single values of messages: their terms, and where they stand in a body.

use choros_base::SourceMap;
use choros_bpel::document::{Element, Limits, parse};
use choros_data::{SortKind, Term, Terms, Value};
use choros_exec::drive::{Codec, json_leaves};
use choros_symex::driver::ConcreteMessage;

use crate::verbs::drive::AnyCodec;

/// A value of a message that has no parts.
#[derive(Debug, Clone)]
pub(super) struct Leaf {
    /// The number of the message's field, then positions in records and lists.
    way: Vec<usize>,
    /// What it is, over symbols.
    pub(super) term: Term,
    /// What it is in the run with concrete values.
    pub(super) value: Value,
    /// Whether it is part of a list, and so there in this run and perhaps not in others.
    pub(super) in_list: bool,
}

/// All values without parts of a field.
pub(super) fn leaves_of(field: usize, term: Term, value: &Value, terms: &mut Terms) -> Vec<Leaf> {
    let mut found = Vec::new();
    let mut open = vec![Leaf {
        way: vec![field],
        term,
        value: value.clone(),
        in_list: false,
    }];
    while let Some(leaf) = open.pop() {
        let at = |position: usize| [&leaf.way[..], &[position]].concat();
        match &leaf.value {
            Value::Record { sort, fields } => {
                let SortKind::Record(labels) = terms.sort_kind(*sort).clone() else {
                    continue;
                };
                for (position, ((label, _), value)) in labels.iter().zip(fields).enumerate() {
                    if let Some(term) = terms.field(leaf.term, *label) {
                        open.push(Leaf {
                            way: at(position),
                            term,
                            value: value.clone(),
                            in_list: leaf.in_list,
                        });
                    }
                }
            }
            Value::List { items, .. } => {
                for (position, value) in items.iter().enumerate() {
                    let number = terms.int(position as i64);
                    open.push(Leaf {
                        way: at(position),
                        term: terms.index(leaf.term, number),
                        value: value.clone(),
                        in_list: true,
                    });
                }
            }
            _ => found.push(leaf),
        }
    }
    found.reverse();
    found
}

/// Where a value stands in the body of its message, and how it is written there.
///
/// The message is written once more with another value in its place: what differs is where it stands.
/// So nothing needs to be known about the form of bodies.
pub(super) fn place(
    leaf: &Leaf,
    message: &ConcreteMessage,
    is_sent: bool,
    codec: &mut AnyCodec,
    terms: &mut Terms,
) -> Option<(String, String)> {
    let written = body(codec, message, is_sent, terms)?;
    let before = texts(codec, &written);
    for other in others(&leaf.value) {
        let mut changed = message.clone();
        let (&first, rest) = leaf.way.split_first()?;
        let mut at = changed.values.get_mut(first)?;
        for &position in rest {
            at = match at {
                Value::Record { fields: parts, .. } | Value::List { items: parts, .. } => {
                    parts.get_mut(position)?
                }
                _ => return None,
            };
        }
        *at = other;
        let Some(body) = body(codec, &changed, is_sent, terms) else {
            continue;
        };
        let after = texts(codec, &body);
        if before.len() != after.len() {
            continue;
        }
        let mut differing = before
            .iter()
            .zip(&after)
            .filter(|(before, after)| before != after);
        if let (Some((found, after)), None) = (differing.next(), differing.next())
            && found.0 == after.0
        {
            return Some(found.clone());
        }
    }
    None
}

fn body(
    codec: &mut AnyCodec,
    message: &ConcreteMessage,
    is_sent: bool,
    terms: &mut Terms,
) -> Option<Vec<u8>> {
    match is_sent {
        true => codec.request(message, terms).ok().map(|it| it.body),
        false => codec.reply(message, terms).ok().map(|it| it.body),
    }
}

/// Values of the same sort that may take a value's place; types may forbid one of them.
fn others(value: &Value) -> Vec<Value> {
    match value {
        Value::Bool(value) => vec![Value::Bool(!value)],
        Value::Int(value) => vec![Value::Int(value + 1), Value::Int(value - 1)],
        Value::String(text) => vec![Value::text(format!("{text}x")), Value::text("x")],
        Value::Constructor { sort, index } => [index.wrapping_add(1), index.wrapping_sub(1)]
            .map(|index| Value::Constructor { sort: *sort, index })
            .to_vec(),
        _ => Vec::new(),
    }
}

/// The texts of a body with their places.
fn texts(codec: &AnyCodec, body: &[u8]) -> Vec<(String, String)> {
    match codec {
        AnyCodec::Json(_) => json_leaves(body),
        AnyCodec::Soap(_) => xml_leaves(body),
    }
}

/// The texts of elements without children, each with its place: `Envelope/Body/order/line[1]/price`.
fn xml_leaves(body: &[u8]) -> Vec<(String, String)> {
    let text = String::from_utf8_lossy(body);
    let mut sources = SourceMap::new();
    let file = sources.add("message", text.as_ref());
    let Ok(document) = parse(file, "message", &text, Limits::default()) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let root = document.root();
    let mut open: Vec<(String, Element<'_>)> = vec![(root.local().to_owned(), root)];
    while let Some((place, element)) = open.pop() {
        let children: Vec<Element<'_>> = element.children().collect();
        if children.is_empty() {
            found.push((place.clone(), element.text().to_string()));
        }
        for (position, child) in children.iter().enumerate() {
            let name = child.local();
            let before = &children[..position];
            let below = match before.iter().filter(|it| it.local() == name).count() {
                0 => format!("{place}/{name}"),
                count => format!("{place}/{name}[{count}]"),
            };
            open.push((below, *child));
        }
    }
    found.sort_unstable();
    found
}

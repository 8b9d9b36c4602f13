//! Single values of messages: their terms, and where they stand in a body.

use choros_base::SourceMap;
use choros_data::{Sort, SortKind, Term, Terms, Value};
use choros_emit::symbolic::{Expected, MessageValue};
use choros_suite::json_leaves;
use choros_symex::driver::ConcreteMessage;
use choros_xml::document::{Element, Limits, parse};

use crate::{BodyKind, Codec};

/// A value of a message that has no parts.
#[derive(Debug, Clone)]
pub(super) struct Leaf {
    /// The number of the message's field, then positions in records and lists.
    way: Vec<usize>,
    /// What it is, over symbols.
    pub(super) term: Term,
    /// What it is in the run with concrete values.
    pub(super) value: Value,
    /// The lists that it is part of, with their lengths in this run; in others they may be shorter.
    pub(super) lists: Vec<(Term, usize)>,
}

impl Leaf {
    /// What an answer must have in its place; a number may be written in several ways.
    pub(super) fn expected(&self, text: String) -> Expected {
        match &self.value {
            // JSON has large numbers and thirds in texts.
            Value::Int(_) | Value::Real(_) => Expected::Number(text.trim_matches('"').to_owned()),
            _ => Expected::Value(text),
        }
    }

    /// The same where it must be what the service said before.
    pub(super) fn expected_again(&self, from: MessageValue) -> Expected {
        match &self.value {
            Value::Int(_) | Value::Real(_) => Expected::SameNumber(from),
            _ => Expected::Same(from),
        }
    }
}

/// What an answer must have where the mapping says a constant, written as JSON.
pub(super) fn constant(text: String) -> Expected {
    if text.starts_with(|first: char| first == '-' || first.is_ascii_digit()) {
        Expected::Number(text)
    } else {
        Expected::Value(text)
    }
}

/// A list in a message.
#[derive(Debug, Clone)]
pub(super) struct List {
    way: Vec<usize>,
    /// The list over symbols, and its elements in the run with concrete values.
    pub(super) term: Term,
    pub(super) items: Vec<Value>,
    sort: Sort,
    /// The lists that it is part of.
    pub(super) lists: Vec<(Term, usize)>,
}

/// All values without parts of a field, and all lists in it.
pub(super) fn parts_of(
    field: usize,
    term: Term,
    value: &Value,
    terms: &mut Terms,
) -> (Vec<Leaf>, Vec<List>) {
    let mut found = Vec::new();
    let mut lists = Vec::new();
    let mut open = vec![Leaf {
        way: vec![field],
        term,
        value: value.clone(),
        lists: Vec::new(),
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
                            lists: leaf.lists.clone(),
                        });
                    }
                }
            }
            Value::List { items, sort } => {
                lists.push(List {
                    way: leaf.way.clone(),
                    term: leaf.term,
                    items: items.clone(),
                    sort: *sort,
                    lists: leaf.lists.clone(),
                });
                let within = [&leaf.lists[..], &[(leaf.term, items.len())]].concat();
                for (position, value) in items.iter().enumerate() {
                    let number = terms.int(position as i64);
                    open.push(Leaf {
                        way: at(position),
                        term: terms.index(leaf.term, number),
                        value: value.clone(),
                        lists: within.clone(),
                    });
                }
            }
            _ => found.push(leaf),
        }
    }
    found.reverse();
    lists.reverse();
    (found, lists)
}

/// Where a value stands in the body of its message, and how it is written there.
///
/// The message is written once more with another value in its place: what differs is where it stands.
/// So nothing needs to be known about the form of bodies.
pub(super) fn place(
    leaf: &Leaf,
    message: &ConcreteMessage,
    form: Form,
    codec: &mut dyn Codec,
    terms: &mut Terms,
) -> Option<(String, String)> {
    let written = body(codec, message, form, terms)?;
    let before = texts(codec, &written);
    for other in others(&leaf.value) {
        let changed = with(message, &leaf.way, other)?;
        let Some(body) = body(codec, &changed, form, terms) else {
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

/// Where a list stands in the body of its message.
///
/// The message is written with one element more: its place tells where the others are, too.
pub(super) fn list_place(
    list: &List,
    message: &ConcreteMessage,
    form: Form,
    codec: &mut dyn Codec,
    terms: &mut Terms,
) -> Option<String> {
    let SortKind::List(element) = terms.sort_kind(list.sort).clone() else {
        return None;
    };
    let mut items = list.items.clone();
    if items.is_empty() {
        items.push(any_value(element, terms, 8)?);
    }
    let mut written = |items: &[Value]| {
        let items = items.to_vec();
        let sort = list.sort;
        let changed = with(message, &list.way, Value::List { sort, items })?;
        let body = body(codec, &changed, form, terms)?;
        Some(texts(codec, &body))
    };
    let before = written(&items)?;
    let count = items.len();
    items.push(items[count - 1].clone());
    let after = written(&items)?;
    let is_new = |(place, _): &&(String, String)| before.iter().all(|(known, _)| known != place);
    let (new, _) = after.iter().find(is_new)?;
    // The number of the new element is the last but for what is inside of it, and there is one before it.
    let steps: Vec<&str> = new.split('/').collect();
    let (at, name) = steps.iter().enumerate().rev().find_map(|(at, step)| {
        let name = match step.strip_suffix(&format!("[{count}]")) {
            Some(name) => Some(name.to_owned()),
            None => (*step == count.to_string()).then(String::new),
        };
        Some((at, name?))
    })?;
    let mut place = steps[..at].join("/");
    if !name.is_empty() {
        place.push('/');
        place.push_str(&name);
    }
    Some(place)
}

/// A message with another value in one place.
fn with(message: &ConcreteMessage, way: &[usize], value: Value) -> Option<ConcreteMessage> {
    let mut changed = message.clone();
    let (&first, rest) = way.split_first()?;
    let mut at = changed.values.get_mut(first)?;
    for &position in rest {
        at = match at {
            Value::Record { fields: parts, .. } | Value::List { items: parts, .. } => {
                parts.get_mut(position)?
            }
            _ => return None,
        };
    }
    *at = value;
    Some(changed)
}

/// Some value of a sort; none where it nests too deeply.
fn any_value(sort: Sort, terms: &Terms, depth: usize) -> Option<Value> {
    let inner = depth.checked_sub(1)?;
    Some(match terms.sort_kind(sort) {
        SortKind::Bool => Value::Bool(true),
        SortKind::Int => Value::int(1),
        SortKind::Real => Value::Real(num_bigint::BigInt::from(1).into()),
        SortKind::String => Value::text("x"),
        SortKind::Enumeration { .. } => Value::Constructor { sort, index: 0 },
        SortKind::Record(fields) => {
            let fields = fields.iter();
            Value::Record {
                sort,
                fields: fields
                    .map(|&(_, field)| any_value(field, terms, inner))
                    .collect::<Option<_>>()?,
            }
        }
        SortKind::List(_) => Value::List {
            sort,
            items: Vec::new(),
        },
        _ => return None,
    })
}

/// The first element in the body of an envelope.
pub(super) fn envelope_title(body: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(body);
    let mut sources = SourceMap::new();
    let file = sources.add("message", text.as_ref());
    let document = parse(file, "message", &text, Limits::default()).ok()?;
    let inside = document
        .root()
        .children()
        .find(|it| it.local() == "Body")?
        .children()
        .next()?;
    Some(inside.local().to_owned())
}

/// As what a message is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Request,
    Reply,
}

fn body(
    codec: &mut dyn Codec,
    message: &ConcreteMessage,
    form: Form,
    terms: &mut Terms,
) -> Option<Vec<u8>> {
    match form {
        Form::Request => codec.request(message, terms).ok().map(|it| it.body),
        Form::Reply => codec.reply(message, terms).ok().map(|it| it.body),
    }
}

/// Values of the same sort that may take a value's place; types may forbid one of them.
fn others(value: &Value) -> Vec<Value> {
    match value {
        Value::Bool(value) => vec![Value::Bool(!value)],
        Value::Int(value) => vec![Value::Int(value + 1), Value::Int(value - 1)],
        Value::Real(value) => vec![
            Value::Real(value + num_bigint::BigInt::from(1)),
            Value::Real(value - num_bigint::BigInt::from(1)),
        ],
        Value::String(text) => vec![Value::text(format!("{text}x")), Value::text("x")],
        Value::Constructor { sort, index } => [index.wrapping_add(1), index.wrapping_sub(1)]
            .map(|index| Value::Constructor { sort: *sort, index })
            .to_vec(),
        _ => Vec::new(),
    }
}

/// The texts of a body with their places.
fn texts(codec: &dyn Codec, body: &[u8]) -> Vec<(String, String)> {
    match codec.bodies() {
        BodyKind::Json => json_leaves(body),
        BodyKind::Xml => xml_leaves(body),
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

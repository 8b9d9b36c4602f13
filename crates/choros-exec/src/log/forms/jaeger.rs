//! Jaeger's JSON: what its page downloads and its interface answers (`data[].spans`), or traces without that.

use choros_model::observation::{Datum, Number};

use super::span::{Span, SpanKind};
use crate::log::pieces::Pattern;
use crate::log::problem::RecordFlaw;
use crate::log::time::TimeForm;
use crate::log::tree::Tree;

/// Spans name a process; processes come after the spans of their trace.
pub(super) const PATTERNS: &[Pattern] = &[
    &["data", "*", "processes"],
    &["*", "processes"],
    &["processes"],
    &["data", "*", "spans", "*"],
    &["*", "spans", "*"],
    &["spans", "*"],
];

/// How many of the patterns are processes.
pub(super) const PROCESSES: usize = 3;

/// The names of services by process.
pub(super) fn processes(tree: &Tree<'_>) -> Vec<(String, String)> {
    let named = |(key, process): &(std::borrow::Cow<'_, str>, Tree<'_>)| {
        Some((key.to_string(), process.get("serviceName")?.word()?))
    };
    tree.fields().iter().filter_map(named).collect()
}

/// The span, and the process it names.
pub(super) fn span(tree: &Tree<'_>, number: u64) -> Result<(Span, Option<String>), RecordFlaw> {
    let word = |label: &str| tree.get(label).and_then(Tree::word);
    let id = word("spanID");
    if id.is_none() {
        return Err(RecordFlaw::Missing("spanID"));
    }
    let microseconds = |field: &'static str| match tree.get(field) {
        None => Ok(None),
        Some(value) => value.number().map(Some).ok_or(RecordFlaw::WrongType {
            field,
            found: "not a number of microseconds".to_owned(),
        }),
    };
    let start = microseconds("startTime")?;
    let end = match (&start, microseconds("duration")?) {
        (Some(start), Some(took)) => Some(start.plus(&took)),
        _ => None,
    };
    let mut span = Span {
        number,
        trace: word("traceID"),
        id,
        name: word("operationName").unwrap_or_default(),
        service: tree
            .get("process")
            .and_then(|it| it.get("serviceName")?.word()),
        start: moment("startTime", start)?,
        end: moment("duration", end)?,
        parent: word("parentSpanID"),
        ..Span::default()
    };
    for reference in tree.get("references").map_or(&[][..], Tree::items) {
        let to = reference.get("spanID").and_then(Tree::word);
        match reference.get("refType").and_then(Tree::text) {
            Some("FOLLOWS_FROM") if span.link.is_none() => {
                span.link = to;
                span.link_trace = reference.get("traceID").and_then(Tree::word);
            }
            Some("FOLLOWS_FROM") => {}
            _ => span.parent = span.parent.or(to),
        }
    }
    tags(tree, "", &mut span.attributes);
    for log in tree.get("logs").map_or(&[][..], Tree::items) {
        let fields = log.get("fields").map_or(&[][..], Tree::items);
        let is_event = |it: &&Tree<'_>| it.get("key").and_then(Tree::text) == Some("event");
        let event = fields
            .iter()
            .find(is_event)
            .and_then(|it| it.get("value")?.word());
        let path = format!("event.{}", event.unwrap_or_default());
        for field in fields {
            tag(field, &path, &mut span.attributes);
        }
    }
    let kind = |it: &&(String, Datum<'static>)| it.0 == "span.kind";
    if let Some((_, kind)) = span.attributes.iter().find(kind) {
        span.kind = SpanKind::named(&kind.key());
    } else if span.lacks_kind() {
        return Err(RecordFlaw::Missing("span.kind"));
    }
    Ok((span, word("processID")))
}

fn moment(field: &'static str, at: Option<Number>) -> Result<Option<Number>, RecordFlaw> {
    let Some(at) = at else { return Ok(None) };
    let read = TimeForm::Microseconds.milliseconds(&Datum::Number(at));
    read.map(Some).ok_or(RecordFlaw::WrongType {
        field,
        found: "not a number of microseconds between 1970 and 9999".to_owned(),
    })
}

/// Tags are a list of keys and values; in some stores an object.
fn tags(tree: &Tree<'_>, path: &str, into: &mut Vec<(String, Datum<'static>)>) {
    for label in ["tags", "tag"] {
        match tree.get(label) {
            Some(Tree::List(list)) => list.iter().for_each(|it| tag(it, path, into)),
            // Elasticsearch writes dots of names as `@`.
            Some(Tree::Object(fields)) => {
                for (name, value) in fields {
                    value.flatten(&name.replace('@', "."), into);
                }
            }
            _ => {}
        }
    }
}

fn tag(tag: &Tree<'_>, path: &str, into: &mut Vec<(String, Datum<'static>)>) {
    let (Some(key), Some(Tree::Scalar(value))) =
        (tag.get("key").and_then(Tree::text), tag.get("value"))
    else {
        return;
    };
    let name = if path.is_empty() {
        key.to_owned()
    } else {
        format!("{path}.{key}")
    };
    let value = match value {
        Datum::Text(text) => Datum::Untyped(text.to_string().into()),
        other => other.clone().into_owned(),
    };
    into.push((name, value));
}

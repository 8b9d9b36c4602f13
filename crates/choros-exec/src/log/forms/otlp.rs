//! OpenTelemetry traces as JSON: one `ExportTraceServiceRequest` per line, as the file exporter writes them, or one
//! document.

use choros_model::observation::{Datum, Number};

use super::span::{Span, SpanKind};
use crate::log::pieces::Pattern;
use crate::log::problem::RecordFlaw;
use crate::log::time::TimeForm;
use crate::log::tree::Tree;

/// Resources first: a span needs the name of its service.
pub(super) const PATTERNS: &[Pattern] = &[
    &["resourceSpans", "*", "resource"],
    &["resource_spans", "*", "resource"],
    &["resourceSpans", "*", "scopeSpans", "*", "spans", "*"],
    &["resource_spans", "*", "scope_spans", "*", "spans", "*"],
    &[
        "resourceSpans",
        "*",
        "instrumentationLibrarySpans",
        "*",
        "spans",
        "*",
    ],
];

/// How many of the patterns are resources.
pub(super) const RESOURCES: usize = 2;

/// The name of the service that a resource is.
pub(super) fn service(resource: &Tree<'_>) -> Option<String> {
    let attributes = resource.get("attributes")?.items();
    let named = |name: &str| {
        let find = |it: &&Tree<'_>| it.get("key").and_then(Tree::text) == Some(name);
        let found = attributes.iter().find(find)?.get("value")?;
        found
            .get("stringValue")
            .or(found.get("string_value"))?
            .word()
    };
    named("service.name")
}

pub(super) fn span(tree: &Tree<'_>, number: u64) -> Result<Span, RecordFlaw> {
    let id = tree.first(&["spanId", "span_id"]).and_then(Tree::word);
    if id.is_none() {
        return Err(RecordFlaw::Missing("spanId"));
    }
    let kind = match tree.get("kind") {
        Some(Tree::Scalar(Datum::Number(code))) => match code.to_i64() {
            Some(2) => SpanKind::Server,
            Some(3) => SpanKind::Client,
            Some(4) => SpanKind::Producer,
            Some(5) => SpanKind::Consumer,
            _ => SpanKind::Internal,
        },
        Some(word) => SpanKind::named(word.text().unwrap_or_default()),
        None => SpanKind::Internal,
    };
    // Zero is what the wire format has where no one said a kind.
    let is_silent = match tree.get("kind") {
        Some(Tree::Scalar(Datum::Number(code))) => code.to_i64() == Some(0),
        Some(word) => word.text() == Some("SPAN_KIND_UNSPECIFIED"),
        None => true,
    };
    let link = tree.get("links").and_then(|links| links.items().first());
    let mut span = Span {
        number,
        trace: tree.first(&["traceId", "trace_id"]).and_then(Tree::word),
        id,
        parent: tree
            .first(&["parentSpanId", "parent_span_id"])
            .and_then(Tree::word),
        link: link.and_then(|link| link.first(&["spanId", "span_id"])?.word()),
        link_trace: link.and_then(|link| link.first(&["traceId", "trace_id"])?.word()),
        name: tree.get("name").and_then(Tree::word).unwrap_or_default(),
        kind,
        start: time(tree, &["startTimeUnixNano", "start_time_unix_nano"])?,
        end: time(tree, &["endTimeUnixNano", "end_time_unix_nano"])?,
        ..Span::default()
    };
    if let Some(attributes) = tree.get("attributes") {
        read_attributes(attributes, "", &mut span.attributes);
    }
    for event in tree.get("events").map_or(&[][..], Tree::items) {
        let name = event.get("name").and_then(Tree::word).unwrap_or_default();
        if let Some(attributes) = event.get("attributes") {
            let path = format!("event.{name}");
            read_attributes(attributes, &path, &mut span.attributes);
        }
    }
    if is_silent && span.lacks_kind() {
        return Err(RecordFlaw::Missing("kind"));
    }
    Ok(span)
}

fn time(tree: &Tree<'_>, labels: &[&'static str; 2]) -> Result<Option<Number>, RecordFlaw> {
    let Some(written) = tree.first(labels) else {
        return Ok(None);
    };
    let number = written.number();
    // Zero stands for nothing in the wire format.
    if number.as_ref() == Some(&Number::from(0)) {
        return Ok(None);
    }
    let value = number.map(Datum::Number);
    let read = value.and_then(|value| TimeForm::Nanoseconds.milliseconds(&value));
    match read {
        Some(at) => Ok(Some(at)),
        None => Err(RecordFlaw::WrongType {
            field: labels[0],
            found: "not a number of nanoseconds between 1970 and 9999".to_owned(),
        }),
    }
}

/// Attributes by their names; a list has its elements by number, a list of pairs its labels.
fn read_attributes(list: &Tree<'_>, path: &str, into: &mut Vec<(String, Datum<'static>)>) {
    for attribute in list.items() {
        let (Some(key), Some(value)) = (attribute.get("key"), attribute.get("value")) else {
            continue;
        };
        let name = below(path, key.text().unwrap_or_default());
        read_value(value, name, into);
    }
}

fn read_value(value: &Tree<'_>, name: String, into: &mut Vec<(String, Datum<'static>)>) {
    let Some((kind, inner)) = value.fields().first() else {
        into.push((name, Datum::Null));
        return;
    };
    match (&**kind, inner) {
        // Values are often written as texts, whatever they were.
        ("stringValue" | "string_value", inner) => {
            let text = inner.text().unwrap_or_default().to_owned();
            into.push((name, Datum::Untyped(text.into())));
        }
        ("intValue" | "int_value" | "doubleValue" | "double_value", inner) => {
            match inner.number() {
                Some(number) => into.push((name, Datum::Number(number))),
                None => into.push((name, Datum::Null)),
            }
        }
        ("arrayValue" | "array_value", inner) => {
            let items = inner.get("values").map_or(&[][..], Tree::items);
            for (index, item) in items.iter().enumerate() {
                read_value(item, below(&name, &index.to_string()), into);
            }
        }
        ("kvlistValue" | "kvlist_value", inner) => {
            if let Some(values) = inner.get("values") {
                read_attributes(values, &name, into);
            }
        }
        (_, Tree::Scalar(value)) => into.push((name, value.clone().into_owned())),
        _ => {}
    }
}

fn below(path: &str, label: &str) -> String {
    if path.is_empty() {
        label.to_owned()
    } else {
        format!("{path}.{label}")
    }
}

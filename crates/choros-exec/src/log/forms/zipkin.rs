//! Zipkin's JSON, version 2: a list of spans, a list of traces, or a span per line.

use choros_model::observation::{Datum, Number};

use super::span::{Span, SpanKind};
use crate::log::pieces::Pattern;
use crate::log::problem::RecordFlaw;
use crate::log::time::TimeForm;
use crate::log::tree::Tree;

pub(super) const PATTERNS: &[Pattern] = &[&[], &["*"], &["*", "*"]];

pub(super) fn span(tree: &Tree<'_>, number: u64) -> Result<Span, RecordFlaw> {
    let word = |label: &str| tree.get(label).and_then(Tree::word);
    let id = word("id").ok_or(RecordFlaw::Missing("id"))?;
    let endpoint = |label: &str| {
        let endpoint = tree.get(label)?;
        let address = || endpoint.first(&["ipv4", "ipv6"])?.word();
        endpoint
            .get("serviceName")
            .and_then(Tree::word)
            .or_else(address)
    };
    let microseconds = |field: &'static str| match tree.get(field) {
        None => Ok(None),
        Some(value) => value.number().map(Some).ok_or(RecordFlaw::WrongType {
            field,
            found: "not a number of microseconds".to_owned(),
        }),
    };
    let start = microseconds("timestamp")?;
    let end = match (&start, microseconds("duration")?) {
        (Some(start), Some(took)) => Some(start.plus(&took)),
        _ => None,
    };
    let moment = |field: &'static str, at: Option<Number>| match at {
        None => Ok(None),
        Some(at) => TimeForm::Microseconds
            .milliseconds(&Datum::Number(at))
            .map(Some)
            .ok_or(RecordFlaw::WrongType {
                field,
                found: "not a number of microseconds between 1970 and 9999".to_owned(),
            }),
    };
    let is_shared = tree.get("shared") == Some(&Tree::Scalar(Datum::Bool(true)));
    let mut span = Span {
        number,
        trace: word("traceId"),
        id: Some(id),
        parent: word("parentId"),
        name: word("name").unwrap_or_default(),
        kind: SpanKind::named(&word("kind").unwrap_or_default()),
        service: endpoint("localEndpoint"),
        peer: endpoint("remoteEndpoint"),
        start: moment("timestamp", start)?,
        end: moment("duration", end)?,
        is_shared,
        ..Span::default()
    };
    // Tags are texts, whatever they were.
    for (name, value) in tree.get("tags").map_or(&[][..], Tree::fields) {
        let text = value.word().unwrap_or_default();
        span.attributes
            .push((name.to_string(), Datum::Untyped(text.into())));
    }
    if span.lacks_kind() {
        return Err(RecordFlaw::Missing("kind"));
    }
    Ok(span)
}

//! HTTP archives: each entry is a request that the client sent and a response that it received.
//!
//! The operation is the last part of the address's path; the data are the fields of a JSON body, of a form, and of
//! the query, and `status` of the response.

use serde_json::Value;

use choros_model::observation::{Datum, Number};

use super::flatten::flatten_json;
use super::problem::RecordFlaw;
use super::time::moment;

/// One end of an exchange.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Exchange {
    /// The position of its entry, from 0.
    pub(super) entry: u64,
    pub(super) at: Option<Number>,
    pub(super) sends: bool,
    /// Host and port of the server.
    pub(super) server: String,
    pub(super) operation: String,
    pub(super) data: Vec<(String, Datum<'static>)>,
}

/// An exchange, or the number of an entry and why it cannot be read.
pub(super) type Entry = Result<Exchange, (u64, RecordFlaw)>;

/// All exchanges of an archive; entries that cannot be read are reported with their number.
pub(super) fn exchanges(text: &str) -> Result<Vec<Entry>, RecordFlaw> {
    let archive: Value = serde_json::from_str(text).map_err(|error| RecordFlaw::Malformed {
        what: error.to_string(),
        offset: 0,
    })?;
    let entries = archive
        .pointer("/log/entries")
        .and_then(Value::as_array)
        .ok_or(RecordFlaw::Missing("log.entries"))?;
    let mut found = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        let number = number as u64;
        match both(entry, number) {
            Ok(two) => found.extend(two.into_iter().map(Ok)),
            Err(flaw) => found.push(Err((number, flaw))),
        }
    }
    Ok(found)
}

fn both(entry: &Value, number: u64) -> Result<Vec<Exchange>, RecordFlaw> {
    let text = |pointer: &str| entry.pointer(pointer).and_then(Value::as_str);
    let url = text("/request/url").ok_or(RecordFlaw::Missing("request.url"))?;
    let (server, path, query) = address(url);
    let operation = path
        .rsplit('/')
        .find(|part| !part.is_empty())
        .unwrap_or("/")
        .to_owned();
    let started = match text("/startedDateTime") {
        None => None,
        Some(written) => Some(moment(written).ok_or_else(|| RecordFlaw::WrongType {
            field: "startedDateTime",
            found: format!("no time between 1970 and 9999: {written}"),
        })?),
    };
    let mut request = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        request.push((name.to_owned(), Datum::Untyped(value.to_owned().into())));
    }
    if let Some(body) = text("/request/postData/text") {
        body_data(body, &mut request);
    }
    let mut response = Vec::new();
    if let Some(status) = entry.pointer("/response/status").and_then(Value::as_i64) {
        response.push(("status".to_owned(), Datum::Number(Number::from(status))));
    }
    if let Some(body) = text("/response/content/text") {
        body_data(body, &mut response);
    }
    let took = entry
        .get("time")
        .and_then(|time| Number::parse(&time.to_string()).ok());
    let ended = match (&started, took) {
        (Some(started), Some(took)) => Some(started.plus(&took)),
        _ => started.clone(),
    };
    let exchange = |at, sends, data| Exchange {
        entry: number,
        at,
        sends,
        server: server.to_owned(),
        operation: operation.clone(),
        data,
    };
    let mut found = vec![exchange(started, true, request)];
    if entry.get("response").is_some() {
        found.push(exchange(ended, false, response));
    }
    Ok(found)
}

/// Host, path and query of an address.
fn address(url: &str) -> (&str, &str, &str) {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = rest.split('#').next().unwrap_or(rest);
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (server, path) = rest.split_once('/').unwrap_or((rest, ""));
    (server, path, query)
}

/// The fields of a JSON body; other bodies have none.
fn body_data(body: &str, data: &mut Vec<(String, Datum<'static>)>) {
    // Numbers of an object keep all their digits.
    if let Ok(found) = flatten_json(body) {
        data.extend(found);
        return;
    }
    let Ok(value) = serde_json::from_str::<Value>(body) else {
        return;
    };
    // The reader of JSON limits the depth, so this stack is small.
    let mut pending = vec![(String::new(), &value)];
    while let Some((path, value)) = pending.pop() {
        let below = |label: &str| {
            if path.is_empty() {
                label.to_owned()
            } else {
                format!("{path}.{label}")
            }
        };
        match value {
            Value::Object(fields) => {
                pending.extend(
                    fields
                        .iter()
                        .rev()
                        .map(|(label, value)| (below(label), value)),
                );
            }
            Value::Array(items) => {
                let items = items.iter().enumerate().rev();
                pending.extend(items.map(|(index, value)| (below(&index.to_string()), value)));
            }
            Value::Null => data.push((path, Datum::Null)),
            Value::Bool(value) => data.push((path, Datum::Bool(*value))),
            Value::Number(number) => {
                if let Ok(number) = Number::parse(&number.to_string()) {
                    data.push((path, Datum::Number(number)));
                }
            }
            Value::String(text) => data.push((path, Datum::Text(text.clone().into()))),
        }
    }
}

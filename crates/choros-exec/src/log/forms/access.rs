//! Access logs in JSON: a line per request that a server answered, as nginx, Envoy and others write them.

use choros_bind::{Content, Envelope, HttpExchange, Side};
use choros_model::observation::{Datum, Number};

use super::http::{Target, status, tree_body};
use crate::log::problem::RecordFlaw;
use crate::log::time::{TimeForm, moment};
use crate::log::tree::Tree;

const METHODS: [&str; 5] = [
    "method",
    "request_method",
    "http_method",
    "verb",
    "requestMethod",
];
const PATHS: [&str; 7] = [
    "path",
    "request_uri",
    "uri",
    "url",
    "request_path",
    "x_envoy_original_path",
    "requestUrl",
];
const STATUSES: [&str; 4] = ["status", "response_code", "status_code", "code"];
const CLIENTS: [&str; 7] = [
    "remote",
    "client",
    "remote_addr",
    "client_ip",
    "downstream_remote_address",
    "x_forwarded_for",
    "http_x_forwarded_for",
];
const SERVERS: [&str; 8] = [
    "service",
    "service_name",
    "host",
    "authority",
    ":authority",
    "server_name",
    "http_host",
    "upstream_cluster",
];
const UPSTREAMS: [&str; 3] = ["upstream_host", "upstream_addr", "upstream"];
const SESSIONS: [&str; 10] = [
    "session",
    "session_id",
    "trace_id",
    "traceId",
    "correlation_id",
    "correlationId",
    "x_correlation_id",
    "x-correlation-id",
    // nginx writes headers as `$http_NAME`.
    "http_x_correlation_id",
    "http_x_session_id",
];
const IDS: [&str; 6] = [
    "http_x_request_id",
    "request_id",
    "x_request_id",
    "x-request-id",
    "requestId",
    "id",
];
/// When the request began.
const STARTS: [&str; 3] = ["start_time", "started", "request_start"];
/// When the line was written, which is when the response was over.
const ENDS: [&str; 7] = [
    "time_iso8601",
    "time",
    "@timestamp",
    "timestamp",
    "msec",
    "time_local",
    "ts",
];
/// Durations, and how many milliseconds one of theirs is.
const DURATIONS: [(&str, i64); 6] = [
    ("duration_ms", 1),
    ("duration", 1),
    ("response_time_ms", 1),
    ("latency_ms", 1),
    ("request_time", 1000),
    ("elapsed", 1),
];
const REQUEST_BODIES: [&str; 3] = ["request_body", "requestBody", "req_body"];
const RESPONSE_BODIES: [&str; 4] = ["response_body", "resp_body", "responseBody", "res_body"];

const OWN: &[&[&str]] = &[
    &METHODS,
    &PATHS,
    &STATUSES,
    &CLIENTS,
    &SERVERS,
    &UPSTREAMS,
    &SESSIONS,
    &IDS,
    &STARTS,
    &ENDS,
    &[
        "request",
        "duration_ms",
        "duration",
        "request_time",
        "elapsed",
    ],
];

pub(super) fn envelope(tree: &Tree<'_>, line: u64) -> Result<Envelope, RecordFlaw> {
    let word = |labels: &[&str]| {
        tree.first(labels)
            .and_then(Tree::word)
            .filter(|it| it != "-")
    };
    // `POST /orders HTTP/1.1`.
    let request = tree.get("request").and_then(Tree::text);
    let mut parts = request.unwrap_or_default().split(' ');
    let (first, second) = (parts.next(), parts.next());
    let method = word(&METHODS).or_else(|| second.and(first).map(str::to_owned));
    let path = word(&PATHS).or_else(|| second.map(str::to_owned));
    let target = Target::parse(&path.ok_or(RecordFlaw::Missing("path"))?);
    let status = match tree.first(&STATUSES) {
        Some(Tree::Scalar(value)) => status(value).filter(|code| *code > 0),
        _ => None,
    };
    let mut response = Content::default();
    let mut content = Content::default();
    if let Some(body) = tree.first(&REQUEST_BODIES) {
        tree_body(body, &mut content);
    }
    if let Some(body) = tree.first(&RESPONSE_BODIES) {
        tree_body(body, &mut response);
    }
    let (at, ended) = times(tree)?;
    let to = word(&SERVERS).or(target.host).or_else(|| word(&UPSTREAMS));
    let mut attributes = Vec::new();
    for (label, value) in tree.fields() {
        let is_body = |list: &[&str]| list.contains(&&**label);
        if !is_body(&REQUEST_BODIES) && !is_body(&RESPONSE_BODIES) {
            value.flatten(label, &mut attributes);
        }
    }
    Ok(Envelope {
        line,
        by: to.clone(),
        from: word(&CLIENTS),
        to,
        side: Some(Side::Receiver),
        http: Some(HttpExchange {
            method,
            path: target.path,
            query: target.query,
            status,
            response: status.map(|_| response),
            ..HttpExchange::default()
        }),
        at,
        ended,
        id: word(&IDS),
        session: word(&SESSIONS),
        content,
        attributes,
        own: OWN,
        ..Envelope::default()
    })
}

/// When the request began and when the response was over.
fn times(tree: &Tree<'_>) -> Result<(Option<Number>, Option<Number>), RecordFlaw> {
    let read = |labels: &[&str]| match tree.first(labels) {
        None => Ok(None),
        Some(written) => time(written)
            .map(Some)
            .ok_or_else(|| RecordFlaw::WrongType {
                field: "time",
                found: "not a time between 1970 and 9999".to_owned(),
            }),
    };
    let took = DURATIONS.iter().find_map(|(label, scale)| {
        let number = tree.get(label)?.number()?;
        Some(number.times(&Number::from(*scale)))
    });
    let (started, written) = (read(&STARTS)?, read(&ENDS)?);
    let ended = match (&started, &took) {
        (Some(started), Some(took)) => Some(started.plus(took)),
        _ => written,
    };
    let at = match (started, &ended, took) {
        (Some(started), _, _) => Some(started),
        (None, Some(ended), Some(took)) => Some(ended.minus(&took)),
        (None, ended, None) => ended.clone(),
        (None, None, Some(_)) => None,
    };
    Ok((at, ended))
}

/// A date, seconds with a fraction, or milliseconds: seconds of today are much smaller.
fn time(written: &Tree<'_>) -> Option<Number> {
    const SECONDS_UNTIL: i64 = 100_000_000_000;
    let Some(number) = written.number() else {
        let text = written.text()?;
        return moment(text).or_else(|| local(text));
    };
    let form = if number < Number::from(SECONDS_UNTIL) {
        TimeForm::Seconds
    } else {
        TimeForm::Milliseconds
    };
    form.milliseconds(&Datum::Number(number))
}

/// `18/Nov/2026:11:07:14 +0000`.
fn local(text: &str) -> Option<Number> {
    let (date, zone) = text.split_once(' ')?;
    let mut parts = date.splitn(4, ['/', ':']);
    let (day, month, year, time) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let month = MONTHS.iter().position(|it| *it == month)? + 1;
    let (hours, minutes) = (zone.get(..3)?, zone.get(3..)?);
    moment(&format!("{year}-{month:02}-{day}T{time}{hours}:{minutes}"))
}

#[cfg(test)]
mod tests {
    use super::envelope;
    use crate::log::tree::Tree;

    #[test]
    fn nginx_and_envoy() {
        for text in [
            r#"{"time_iso8601":"2026-01-01T00:00:01.500Z","request":"POST /orders?a=1 HTTP/1.1","status":"201","request_time":"0.500","remote_addr":"10.0.0.1","host":"order","request_id":"r"}"#,
            r#"{"start_time":"2026-01-01T00:00:01Z","method":"POST","path":"/orders?a=1","response_code":201,"duration":500,"downstream_remote_address":"10.0.0.1","authority":"order","request_id":"r"}"#,
            r#"{"msec":1767225601.5,"request_method":"POST","request_uri":"/orders?a=1","status":201,"request_time":0.5,"remote_addr":"10.0.0.1","server_name":"order","request_id":"r"}"#,
            r#"{"time_local":"01/Jan/2026:01:00:01 +0100","start_time":1767225601000,"duration_ms":500,"request":"POST /orders?a=1","status":201,"remote_addr":"10.0.0.1","http_host":"order","id":"r"}"#,
        ] {
            let found = envelope(&Tree::read(text).expect(text), 1).expect(text);
            let http = found.http.expect("an exchange");
            assert_eq!(http.method.as_deref(), Some("POST"), "{text}");
            assert_eq!((http.path.as_str(), http.status), ("/orders", Some(201)));
            assert_eq!(http.query, [("a".to_owned(), "1".to_owned())]);
            let time = |at: Option<choros_model::observation::Number>| at.map(|at| at.to_string());
            assert_eq!(time(found.at).as_deref(), Some("1767225601000"), "{text}");
            assert_eq!(
                time(found.ended).as_deref(),
                Some("1767225601500"),
                "{text}"
            );
            assert_eq!(found.from.as_deref(), Some("10.0.0.1"));
            assert_eq!(
                (found.by.as_deref(), found.id.as_deref()),
                (Some("order"), Some("r"))
            );
        }
    }
}

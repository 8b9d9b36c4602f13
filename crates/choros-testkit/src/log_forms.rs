//! The same traffic in the forms in which people have it: from observations as JSON Lines to traces, events, access logs.

mod conventions;
mod iso;

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use serde_json::{Map, Value, json};

use iso::iso;

/// A form of logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrafficForm {
    Native,
    CloudEvents,
    /// Types with a prefix and a version, sources as paths.
    CloudEventsVersioned,
    /// In Kafka records, the attributes as headers.
    CloudEventsBinary,
    /// `kcat -J`: the payload is JSON in a text.
    Kcat,
    /// Dumps with an object as value.
    Kafka,
    /// One line per request, as the servers write it.
    Access,
    /// What each client saw.
    Har,
    Otlp,
    Jaeger,
    Zipkin,
    Csv,
    /// The native form after a prefix of syslog.
    Syslog,
    /// A topic that all services share: each message once, in the order in which they were sent.
    KafkaBus,
    CloudEventsBus,
    /// That topic, each event twice.
    CloudEventsTwice,
    /// Traces of remote calls.
    OtlpCalls,
    /// Traces of messages through a broker.
    OtlpMessages,
    /// A topic whose events say in their body what they are.
    KafkaWrapped,
    /// One log of what every service sends.
    Sent,
}

impl TrafficForm {
    pub const ALL: [TrafficForm; 20] = [
        TrafficForm::Native,
        TrafficForm::CloudEvents,
        TrafficForm::CloudEventsVersioned,
        TrafficForm::CloudEventsBinary,
        TrafficForm::Kcat,
        TrafficForm::Kafka,
        TrafficForm::Access,
        TrafficForm::Har,
        TrafficForm::Otlp,
        TrafficForm::Jaeger,
        TrafficForm::Zipkin,
        TrafficForm::Csv,
        TrafficForm::Syslog,
        TrafficForm::KafkaBus,
        TrafficForm::CloudEventsBus,
        TrafficForm::CloudEventsTwice,
        TrafficForm::OtlpCalls,
        TrafficForm::OtlpMessages,
        TrafficForm::KafkaWrapped,
        TrafficForm::Sent,
    ];

    /// How its files end.
    pub fn extension(self) -> &'static str {
        match self {
            TrafficForm::Csv => "csv",
            TrafficForm::Har => "har",
            TrafficForm::Otlp | TrafficForm::Jaeger | TrafficForm::Zipkin => "json",
            TrafficForm::OtlpCalls | TrafficForm::OtlpMessages => "json",
            TrafficForm::Syslog => "log",
            _ => "jsonl",
        }
    }
}

/// A file of a log: the role whose it is, where one must be told, and its text.
pub type LogText = (Option<String>, String);

/// What services say to each other, with what a form needs to know beside it.
pub struct Traffic {
    rows: Vec<Value>,
    /// Operations and their paths.
    paths: BTreeMap<String, String>,
    /// Operations and their statuses.
    statuses: BTreeMap<String, u16>,
}

/// A request and its response, as both ends saw them.
struct Exchange<'r> {
    /// Sent and received by the client.
    client: [Option<&'r Value>; 2],
    /// Received and sent by the server.
    server: [Option<&'r Value>; 2],
}

/// A span, before it has a form.
struct Span {
    service: String,
    is_client: bool,
    peer: String,
    trace: String,
    id: String,
    parent: Option<String>,
    path: String,
    status: Option<u16>,
    /// In milliseconds.
    start: i64,
    end: i64,
    attributes: Vec<(String, Value)>,
}

impl Traffic {
    /// Observations in the native form; requests are the operations with a path.
    pub fn new(native: &str, paths: &[(&str, &str)], statuses: &[(&str, u16)]) -> Traffic {
        let rows = native.lines().filter(|line| !line.trim().is_empty());
        Traffic {
            rows: rows
                .map(|line| serde_json::from_str(line).expect("a line of JSON"))
                .collect(),
            paths: paths
                .iter()
                .map(|(op, path)| ((*op).to_owned(), (*path).to_owned()))
                .collect(),
            statuses: statuses
                .iter()
                .map(|(op, status)| ((*op).to_owned(), *status))
                .collect(),
        }
    }

    /// The logs in a form.
    pub fn logs(&self, form: TrafficForm) -> Vec<LogText> {
        // Both ends of a message have the same event: its identity and its place in a topic.
        let mut offsets: BTreeMap<String, usize> = BTreeMap::new();
        for row in &self.rows {
            let next = offsets.len();
            offsets.entry(event_id(row)).or_insert(next);
        }
        let lines = |line: &dyn Fn(usize, &Value) -> Value| {
            let line = |row: &Value| line(offsets[&event_id(row)], row).to_string();
            self.per_role(self.rows.iter().map(|row| (row, line(row))))
        };
        match form {
            TrafficForm::Native => lines(&|_, row| row.clone()),
            TrafficForm::CloudEvents => lines(&|_, row| event(row, "", "", "")),
            TrafficForm::CloudEventsVersioned => {
                lines(&|_, row| event(row, "com.acme.shop.", ".v1", "/services/"))
            }
            TrafficForm::CloudEventsBinary => lines(&|at, row| {
                let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
                json!({
                    "topic": "orders.events", "partition": 0, "offset": at, "tstype": "create",
                    "ts": row["at"], "broker": 1, "key": Value::Null,
                    "headers": [
                        "ce_specversion", "1.0", "ce_type", format!("com.acme.shop.{}.v1", text("op")),
                        "ce_source", format!("/services/{}", text("from")), "ce_to", text("to"),
                        "ce_id", event_id(row), "ce_subject", text("session"),
                        "content-type", "application/json",
                    ],
                    "payload": row["data"].to_string(),
                })
            }),
            TrafficForm::Kcat => lines(&|at, row| {
                json!({
                    "topic": "orders.events", "partition": 0, "offset": at, "tstype": "create",
                    "ts": row["at"], "broker": 1,
                    "headers": ["type", row["op"], "from", row["from"], "to", row["to"]],
                    "key": row["session"], "payload": row["data"].to_string(),
                })
            }),
            TrafficForm::Kafka => lines(&kafka),
            TrafficForm::KafkaBus => vec![(None, self.bus(&kafka))],
            TrafficForm::CloudEventsBus => {
                let line =
                    |_: usize, row: &Value| event(row, "com.acme.shop.", ".v1", "/services/");
                vec![(None, self.bus(&line))]
            }
            TrafficForm::CloudEventsTwice => {
                let line = |_: usize, row: &Value| event(row, "", ".v1", "/services/");
                vec![(None, self.twice(&line))]
            }
            TrafficForm::OtlpCalls => vec![(None, conventions::calls(&self.spans()))],
            TrafficForm::OtlpMessages => vec![(None, self.produced())],
            TrafficForm::KafkaWrapped => vec![(None, self.wrapped())],
            TrafficForm::Sent => vec![(None, self.sent())],
            TrafficForm::Access => vec![(None, self.access())],
            TrafficForm::Har => self.archives(),
            TrafficForm::Otlp => vec![(None, otlp(&self.spans()))],
            TrafficForm::Jaeger => vec![(None, jaeger(&self.spans()))],
            TrafficForm::Zipkin => vec![(None, zipkin(&self.spans()))],
            TrafficForm::Csv => vec![(None, self.csv())],
            TrafficForm::Syslog => {
                let mut text = String::new();
                for row in &self.rows {
                    let by = row["by"].as_str().unwrap_or_default();
                    let _ = writeln!(text, "<134>1 2026-01-01T00:00:00Z box {by} 7 - - {row}");
                }
                vec![(None, text)]
            }
        }
    }

    /// A file for each role that saw something: events do not say who saw them.
    fn per_role<'r>(&self, lines: impl Iterator<Item = (&'r Value, String)>) -> Vec<LogText> {
        let mut files: BTreeMap<String, String> = BTreeMap::new();
        for (row, line) in lines {
            let by = row["by"].as_str().unwrap_or_default();
            let file = files.entry(by.to_owned()).or_default();
            file.push_str(&line);
            file.push('\n');
        }
        files
            .into_iter()
            .map(|(role, text)| (Some(role), text))
            .collect()
    }

    /// What was sent, by time.
    fn bus(&self, line: &dyn Fn(usize, &Value) -> Value) -> String {
        let mut sent: Vec<&Value> = self.rows.iter().filter(|it| it["dir"] == "send").collect();
        sent.sort_by_key(|row| time(row));
        let lines = sent.iter().enumerate();
        lines
            .map(|(at, row)| format!("{}\n", line(at, row)))
            .collect()
    }

    fn exchanges(&self) -> Vec<Exchange<'_>> {
        let mut order = Vec::new();
        let mut found: BTreeMap<(String, String), Exchange<'_>> = BTreeMap::new();
        for row in &self.rows {
            let text = |key: &str| row[key].as_str().unwrap_or_default();
            let key = (text("session").to_owned(), text("id").to_owned());
            let exchange = found.entry(key.clone()).or_insert_with(|| {
                order.push(key);
                Exchange {
                    client: [None; 2],
                    server: [None; 2],
                }
            });
            let is_request = self.paths.contains_key(text("op"));
            let sends = text("dir") == "send";
            let (end, half) = match (is_request, sends) {
                (true, true) => (&mut exchange.client, 0),
                (true, false) => (&mut exchange.server, 0),
                (false, true) => (&mut exchange.server, 1),
                (false, false) => (&mut exchange.client, 1),
            };
            end[half] = Some(row);
        }
        order.iter().filter_map(|key| found.remove(key)).collect()
    }

    fn status(&self, response: Option<&Value>) -> Option<u16> {
        self.statuses.get(response?["op"].as_str()?).copied()
    }

    fn path(&self, request: &Value) -> String {
        let op = request["op"].as_str().unwrap_or_default();
        self.paths.get(op).cloned().unwrap_or_default()
    }

    fn access(&self) -> String {
        let mut lines = Vec::new();
        for exchange in self.exchanges() {
            let [Some(request), response] = exchange.server else {
                continue;
            };
            let ended = response.map_or(time(request), time);
            let line = json!({
                "time": iso(ended), "remote": request["from"], "host": request["to"], "method": "POST",
                "path": self.path(request), "status": self.status(response).unwrap_or(0),
                "request_id": request["id"], "duration_ms": ended - time(request),
                "trace_id": request["session"], "request_body": request["data"],
                "response_body": response.map_or(Value::Null, |it| it["data"].clone()),
            });
            lines.push((ended, line.to_string()));
        }
        lines.sort();
        lines.iter().map(|(_, line)| format!("{line}\n")).collect()
    }

    fn archives(&self) -> Vec<LogText> {
        let mut files: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for exchange in self.exchanges() {
            let [Some(request), response] = exchange.client else {
                continue;
            };
            let host = request["to"].as_str().unwrap_or_default();
            let by = request["from"].as_str().unwrap_or_default();
            files.entry(by.to_owned()).or_default().push(json!({
                "startedDateTime": iso(time(request)),
                "time": response.map_or(0, |it| time(it) - time(request)),
                "request": {
                    "method": "POST", "url": format!("http://{host}:8080{}", self.path(request)),
                    "headers": [
                        { "name": "Content-Type", "value": "application/json" },
                        { "name": "X-Session", "value": request["session"] },
                    ],
                    "postData": { "mimeType": "application/json", "text": request["data"].to_string() },
                },
                "response": {
                    "status": self.status(response).unwrap_or(0), "headers": [],
                    "content": { "text": response.map_or(String::new(), |it| it["data"].to_string()) },
                },
            }));
        }
        let archive = |entries: Vec<Value>| {
            let log = json!({ "log": { "version": "1.2", "creator": { "name": "proxy" }, "entries": entries } });
            serde_json::to_string_pretty(&log).expect("JSON")
        };
        let files = files.into_iter();
        files
            .map(|(role, entries)| (Some(role), archive(entries)))
            .collect()
    }

    fn csv(&self) -> String {
        let mut fields: Vec<&String> = Vec::new();
        for row in &self.rows {
            for field in row["data"].as_object().into_iter().flat_map(Map::keys) {
                if !fields.contains(&field) {
                    fields.push(field);
                }
            }
        }
        let parts = ["at", "by", "dir", "from", "to", "op", "id", "session"];
        let mut text = parts.join(",");
        for field in &fields {
            let _ = write!(text, ",{}", csv_cell(&format!("data.{field}")));
        }
        text.push('\n');
        let cell = |value: &Value| match value {
            Value::Null => String::new(),
            Value::String(text) => csv_cell(text),
            other => csv_cell(&other.to_string()),
        };
        for row in &self.rows {
            let own = parts.iter().map(|part| cell(&row[*part]));
            let data = fields
                .iter()
                .map(|field| cell(&row["data"][field.as_str()]));
            let cells: Vec<String> = own.chain(data).collect();
            text.push_str(&cells.join(","));
            text.push('\n');
        }
        text
    }

    /// Two spans per exchange, in the order of their ends, as they are exported.
    fn spans(&self) -> Vec<Span> {
        let mut spans: Vec<Span> = Vec::new();
        let exchanges = self.exchanges();
        let serving = serving(&exchanges);
        for (number, exchange) in exchanges.iter().enumerate() {
            let client_id = format!("c{number:015x}");
            for (end, is_client) in [(exchange.client, true), (exchange.server, false)] {
                let [Some(request), response] = end else {
                    continue;
                };
                let text = |key: &str| request[key].as_str().unwrap_or_default().to_owned();
                let (service, peer) = if is_client {
                    (text("from"), text("to"))
                } else {
                    (text("to"), text("from"))
                };
                let parent = if is_client {
                    let session = text("session");
                    serving.get(&(service.as_str(), session.as_str())).cloned()
                } else {
                    exchange.client[0].map(|_| client_id.clone())
                };
                let fields = |row: Option<&Value>, prefix: &str| {
                    let data = row.and_then(|it| it["data"].as_object().cloned());
                    let named = |(field, value)| (format!("{prefix}{field}"), value);
                    data.into_iter().flatten().map(named).collect::<Vec<_>>()
                };
                let mut attributes = fields(Some(request), "app.");
                attributes.extend(fields(response, "app.reply."));
                spans.push(Span {
                    service,
                    is_client,
                    peer,
                    trace: format!("{:0>32}", hexadecimal(&text("session"))),
                    id: if is_client {
                        client_id.clone()
                    } else {
                        format!("5{number:015x}")
                    },
                    parent,
                    path: self.path(request),
                    status: self.status(response),
                    start: time(request),
                    end: response.map_or(time(request), time),
                    attributes,
                });
            }
        }
        spans.sort_by_key(|it| it.end);
        spans
    }
}

/// The span in which each service answers the first request of each session, by their names.
fn serving<'r>(exchanges: &[Exchange<'r>]) -> HashMap<(&'r str, &'r str), String> {
    let mut found = HashMap::new();
    for (number, exchange) in exchanges.iter().enumerate() {
        if let Some(request) = exchange.server[0] {
            let text = |key: &str| request[key].as_str().unwrap_or_default();
            let span = || format!("5{number:015x}");
            found
                .entry((text("to"), text("session")))
                .or_insert_with(span);
        }
    }
    found
}

fn event(row: &Value, prefix: &str, suffix: &str, source: &str) -> Value {
    let text = |key: &str| row[key].as_str().unwrap_or_default();
    json!({
        "specversion": "1.0", "type": format!("{prefix}{}{suffix}", text("op")),
        "source": format!("{source}{}", text("from")), "id": event_id(row),
        "time": iso(time(row)), "subject": row["session"], "datacontenttype": "application/json",
        "to": row["to"], "data": row["data"],
    })
}

fn kafka(offset: usize, row: &Value) -> Value {
    json!({
        "topic": "orders.events", "partition": 0, "offset": offset, "ts": row["at"],
        "key": row["session"],
        "value": { "type": row["op"], "from": row["from"], "to": row["to"], "payload": row["data"] },
    })
}

fn event_id(row: &Value) -> String {
    let text = |key: &str| row[key].as_str().unwrap_or_default();
    format!("{}-{}-{}", text("session"), text("id"), text("op"))
}

fn attribute(name: &str, value: &Value) -> Value {
    let value = match value {
        Value::Number(number) => json!({ "intValue": number.to_string() }),
        Value::Bool(truth) => json!({ "boolValue": truth }),
        other => json!({ "stringValue": other.as_str().unwrap_or_default() }),
    };
    json!({ "key": name, "value": value })
}

/// One request per service and line, as an exporter sends them.
fn otlp(spans: &[Span]) -> String {
    let mut services: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for span in spans {
        let mut attributes = vec![
            attribute("http.request.method", &json!("POST")),
            attribute("url.path", &json!(span.path)),
        ];
        if let Some(status) = span.status {
            attributes.push(attribute("http.response.status_code", &json!(status)));
        }
        if span.is_client {
            attributes.push(attribute(
                "server.address",
                &json!(format!("{}.internal", span.peer)),
            ));
        }
        let own = span.attributes.iter();
        attributes.extend(own.map(|(name, value)| attribute(name, value)));
        let spans = services.entry(&span.service).or_default();
        spans.push(json!({
            "traceId": span.trace, "spanId": span.id, "parentSpanId": span.parent.clone().unwrap_or_default(),
            "name": format!("POST {}", span.path), "kind": if span.is_client { 3 } else { 2 },
            "startTimeUnixNano": format!("{}000000", span.start),
            "endTimeUnixNano": format!("{}000000", span.end), "attributes": attributes,
        }));
    }
    let mut text = String::new();
    for (service, spans) in services {
        let resource = json!({ "attributes": [attribute("service.name", &json!(format!("{service}-service")))] });
        let scope = json!([{ "scope": { "name": "http" }, "spans": spans }]);
        let line = json!({ "resourceSpans": [{ "resource": resource, "scopeSpans": scope }] });
        let _ = writeln!(text, "{line}");
    }
    text
}

fn jaeger(spans: &[Span]) -> String {
    let mut traces: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    let mut processes = Map::new();
    for span in spans {
        let tag = |name: &str, value: &Value| {
            let kind = if value.is_number() { "int64" } else { "string" };
            json!({ "key": name, "type": kind, "value": value })
        };
        let kind = if span.is_client { "client" } else { "server" };
        let mut tags = vec![
            tag("span.kind", &json!(kind)),
            tag("http.method", &json!("POST")),
            tag(
                "http.url",
                &json!(format!("http://{}:8080{}", span.peer, span.path)),
            ),
            tag("http.target", &json!(span.path)),
        ];
        if let Some(status) = span.status {
            tags.push(tag("http.status_code", &json!(status)));
        }
        tags.extend(span.attributes.iter().map(|(name, value)| tag(name, value)));
        let parent = span.parent.iter();
        let references: Vec<Value> = parent
            .map(|it| json!({ "refType": "CHILD_OF", "traceID": span.trace, "spanID": it }))
            .collect();
        let process = format!("p-{}", span.service);
        processes.insert(
            process.clone(),
            json!({ "serviceName": format!("{}-service", span.service) }),
        );
        traces.entry(&span.trace).or_default().push(json!({
            "traceID": span.trace, "spanID": span.id, "operationName": format!("POST {}", span.path),
            "references": references, "startTime": span.start * 1000,
            "duration": (span.end - span.start) * 1000, "tags": tags, "logs": [], "processID": process,
        }));
    }
    let traces: Vec<Value> = traces
        .into_iter()
        .map(|(trace, spans)| json!({ "traceID": trace, "spans": spans, "processes": processes }))
        .collect();
    json!({ "data": traces, "total": 0, "limit": 0 }).to_string()
}

fn zipkin(spans: &[Span]) -> String {
    let spans = spans.iter().map(|span| {
        let mut tags = Map::new();
        tags.insert("http.method".to_owned(), json!("POST"));
        tags.insert("http.path".to_owned(), json!(span.path));
        if let Some(status) = span.status {
            tags.insert("http.status_code".to_owned(), json!(status.to_string()));
        }
        for (name, value) in &span.attributes {
            let text = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            tags.insert(name.clone(), json!(text));
        }
        let mut it = json!({
            "traceId": span.trace, "id": span.id, "name": "post",
            "kind": if span.is_client { "CLIENT" } else { "SERVER" },
            "timestamp": span.start * 1000, "duration": (span.end - span.start) * 1000,
            "localEndpoint": { "serviceName": format!("{}-service", span.service) },
            "remoteEndpoint": { "ipv4": "10.0.0.9" }, "tags": tags,
        });
        if let Some(parent) = &span.parent {
            it["parentId"] = json!(parent);
        }
        it
    });
    Value::Array(spans.collect()).to_string()
}

fn time(row: &Value) -> i64 {
    row["at"].as_i64().unwrap_or_default()
}

fn hexadecimal(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02x}")).collect()
}

/// A cell, in quotes if it needs them.
fn csv_cell(text: &str) -> String {
    if !text.contains([',', '"', '\n', '\r']) {
        return text.to_owned();
    }
    format!("\"{}\"", text.replace('"', "\"\""))
}

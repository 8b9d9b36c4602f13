//! Forms by later conventions: remote calls and messages in traces, events that say in their body what they are.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Span, Traffic, attribute, event_id, hexadecimal, iso, time};

/// One request per span, as a simple exporter sends them.
fn exported(service: &str, span: &Value) -> String {
    let name = attribute("service.name", &json!(service));
    let scope = json!([{ "scope": { "name": "sdk" }, "spans": [span] }]);
    let resource = json!({ "attributes": [name] });
    let line = json!({ "resourceSpans": [{ "resource": resource, "scopeSpans": scope }] });
    format!("{line}\n")
}

fn nanoseconds(milliseconds: i64) -> String {
    format!("{milliseconds}000000")
}

/// The code of a remote call that a service would answer with.
fn code(status: u16) -> &'static str {
    match status {
        200..300 => "OK",
        409 => "FAILED_PRECONDITION",
        _ => "ABORTED",
    }
}

/// Exchanges as remote calls: the service is a part of the method, and codes are words.
pub(super) fn calls(spans: &[Span]) -> String {
    let lines = spans.iter().map(|span| {
        let method = format!("acme.shop.v1.Shop{}", span.path);
        let mut attributes = vec![
            attribute("rpc.system.name", &json!("grpc")),
            attribute("rpc.method", &json!(method)),
            attribute("thread.id", &json!(span.start)),
        ];
        if let Some(status) = span.status {
            attributes.push(attribute("rpc.response.status_code", &json!(code(status))));
        }
        let peer = [("server.address", &span.peer)];
        let peer = peer.into_iter().filter(|_| span.is_client);
        attributes.extend(peer.map(|(name, value)| attribute(name, &json!(value))));
        let own = span.attributes.iter();
        attributes.extend(own.map(|(name, value)| attribute(name, value)));
        let told = json!({
            "traceId": span.trace, "spanId": span.id, "parentSpanId": span.parent.clone().unwrap_or_default(),
            "name": method, "kind": if span.is_client { 3 } else { 2 }, "attributes": attributes,
            "startTimeUnixNano": nanoseconds(span.start), "endTimeUnixNano": nanoseconds(span.end),
        });
        exported(&span.service, &told)
    });
    lines.collect()
}

impl Traffic {
    /// Each message through a broker: its producer, and of its consumer one span that fetches it, one that processes it,
    /// and one that confirms it; whoever talks to the broker is a client.
    pub(super) fn produced(&self) -> String {
        let mut text = String::new();
        let mut rows: Vec<&Value> = self.rows.iter().collect();
        rows.sort_by_key(|row| time(row));
        for row in rows {
            let word = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
            let topic = format!("{}.{}", word("to"), word("op"));
            let trace = format!("{:0>32}", hexadecimal(&word("session")));
            let id = |kind: char| format!("{kind}-{}", event_id(row));
            let data = row["data"].as_object().into_iter().flatten();
            let data: Vec<Value> = data
                .map(|(field, value)| attribute(&format!("app.{field}"), value))
                .collect();
            let span = |kind: char, number: u8, operation: [&str; 2], data: &[Value]| {
                let [name, of_type] = operation;
                let mut attributes = vec![
                    attribute("messaging.system", &json!("kafka")),
                    attribute("messaging.destination.name", &json!(topic)),
                    attribute("messaging.message.id", &json!(event_id(row))),
                    attribute("messaging.operation.name", &json!(name)),
                    attribute("messaging.operation.type", &json!(of_type)),
                ];
                attributes.extend_from_slice(data);
                json!({
                    "traceId": trace, "spanId": id(kind), "name": format!("{name} {topic}"), "kind": number,
                    "startTimeUnixNano": nanoseconds(time(row)), "endTimeUnixNano": nanoseconds(time(row)),
                    "attributes": attributes,
                })
            };
            if row["dir"] == "send" {
                let sent = span('p', 4, ["send", "send"], &data);
                text.push_str(&exported(&word("from"), &sent));
                continue;
            }
            let link = json!([{ "traceId": trace, "spanId": id('p') }]);
            let mut fetched = span('r', 3, ["poll", "receive"], &[]);
            fetched["links"].clone_from(&link);
            let mut processed = span('q', 5, ["process", "process"], &data);
            processed["parentSpanId"] = json!(id('r'));
            let mut settled = span('k', 3, ["ack", "settle"], &[]);
            settled["links"] = link;
            for told in [fetched, processed, settled] {
                text.push_str(&exported(&word("to"), &told));
            }
        }
        text
    }

    /// Events of one topic whose bodies say what they are, in words of their own.
    pub(super) fn wrapped(&self) -> String {
        self.bus(&|offset, row| {
            let body = json!({
                "kind": row["op"], "producer": row["from"], "consumer": row["to"], "content": row["data"],
            });
            json!({
                "topic": "shop", "partition": 0, "offset": offset, "ts": row["at"], "key": row["session"],
                "payload": body.to_string(),
            })
        })
    }

    /// A log of all services in which each writes down what it sends, under the labels of a process log.
    pub(super) fn sent(&self) -> String {
        self.bus(&|_, row| {
            json!({
                "Event Time": iso(time(row)), "service": row["from"], "Activity": row["op"],
                "Recipient": row["to"], "Case ID": row["session"], "payload": row["data"],
            })
        })
    }

    /// Every event twice, as those who deliver at least once may do.
    pub(super) fn twice(&self, line: &dyn Fn(usize, &Value) -> Value) -> String {
        let text = self.bus(line);
        let mut count: BTreeMap<usize, &str> = BTreeMap::new();
        for (number, line) in text.lines().enumerate() {
            count.insert(2 * number, line);
            // The second time only after what follows.
            count.insert(2 * number + 3, line);
        }
        count.values().map(|line| format!("{line}\n")).collect()
    }
}

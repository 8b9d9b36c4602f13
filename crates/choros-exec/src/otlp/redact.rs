//! Takes secrets out of a request before it is written.

use serde_json::Value;

use crate::capture::Redactor;

/// Redacts every attribute and text of a request; how many spans it has.
pub(super) fn request(request: &mut Value, redactor: &Redactor) -> u64 {
    let mut spans = 0;
    // Everything is visited once; how deep it is does not matter.
    let mut pending: Vec<(String, &mut Value)> = vec![(String::new(), request)];
    while let Some((path, value)) = pending.pop() {
        match value {
            Value::Object(fields) => {
                if fields.contains_key("spanId") && fields.contains_key("name") {
                    spans += 1;
                }
                // The value of an attribute is named by its key.
                let key = fields.get("key").and_then(Value::as_str).map(str::to_owned);
                for (label, value) in fields.iter_mut() {
                    match (label.as_str(), &key) {
                        ("traceId" | "spanId" | "parentSpanId" | "key", _) => {}
                        ("startTimeUnixNano" | "endTimeUnixNano" | "timeUnixNano", _) => {}
                        ("value", Some(key)) => pending.push((key.clone(), value)),
                        _ => pending.push((path.clone(), value)),
                    }
                }
            }
            Value::Array(items) => {
                pending.extend(items.iter_mut().map(|it| (path.clone(), it)));
            }
            Value::String(text) => {
                if let Some(hidden) = redactor.text(&path, text, 0) {
                    *text = hidden;
                }
            }
            Value::Number(_) | Value::Bool(_) => {
                let raw = value.to_string();
                if redactor.hides_scalar(&path, &raw) {
                    *value = Value::from(redactor.raw(&raw));
                }
            }
            Value::Null => {}
        }
    }
    spans
}

//! Observations in the native form.

use choros_model::observation::{Datum, Observation};
use choros_model::stg::Direction;
use serde_json::{Map, Value};

/// The observation as a JSON object, on one line.
pub fn write_observation(seen: &Observation<'_>) -> String {
    observation_value(seen).to_string()
}

/// The observation as a JSON value.
pub(crate) fn observation_value(seen: &Observation<'_>) -> Value {
    let mut object = Map::new();
    if let Some(at) = &seen.at {
        object.insert("at".to_owned(), number(&at.to_string()));
    }
    let mut put = |key: &str, text: &str| object.insert(key.to_owned(), Value::from(text));
    put("by", &seen.by);
    put(
        "dir",
        match seen.direction {
            Direction::Receive => "recv",
            Direction::Send | Direction::Interaction => "send",
        },
    );
    put("from", &seen.from);
    put("to", &seen.to);
    put("op", &seen.operation);
    if let Some(id) = &seen.id {
        put("id", id);
    }
    if let Some(session) = &seen.session {
        put("session", session);
    }
    if !seen.data.is_empty() {
        let mut data = Map::new();
        for (path, value) in &seen.data {
            insert(&mut data, path, datum(value));
        }
        object.insert("data".to_owned(), Value::Object(data));
    }
    Value::Object(object)
}

/// Puts a value at a path; where a value stands in the way, the whole path is the label.
fn insert(data: &mut Map<String, Value>, path: &str, value: Value) {
    let Some((label, rest)) = path.split_once('.') else {
        data.insert(path.to_owned(), value);
        return;
    };
    // Paths are as deep as a reader allows.
    match data
        .entry(label.to_owned())
        .or_insert_with(|| Value::Object(Map::new()))
    {
        Value::Object(inner) => insert(inner, rest, value),
        _ => {
            data.insert(path.to_owned(), value);
        }
    }
}

fn datum(value: &Datum<'_>) -> Value {
    match value {
        Datum::Null => Value::Null,
        Datum::Bool(value) => Value::Bool(*value),
        Datum::Number(value) => number(&value.to_string()),
        Datum::Text(text) | Datum::Untyped(text) => Value::from(text.as_ref()),
    }
}

/// A number as JSON has it where that is exact, otherwise as a text.
fn number(text: &str) -> Value {
    let value = serde_json::from_str::<Value>(text).ok();
    let is_exact = value.as_ref().map(ToString::to_string).as_deref() == Some(text);
    value
        .filter(|_| is_exact)
        .unwrap_or_else(|| Value::from(text))
}

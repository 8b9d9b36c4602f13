//! Looking into mappings, value by value.

use serde_json::{Map, Value};

pub(super) fn object(text: &str) -> Result<Map<String, Value>, String> {
    let json: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    match json {
        Value::Object(object) => Ok(object),
        _ => Err("it is not an object".to_owned()),
    }
}

pub(super) fn text_of(json: &Value, place: &str) -> Result<String, String> {
    json.as_str()
        .map(str::to_owned)
        .ok_or_else(|| format!("`{place}` is not a text"))
}

pub(super) fn texts(json: &Value, place: &str) -> Result<Vec<String>, String> {
    let items = json
        .as_array()
        .ok_or_else(|| format!("`{place}` is not a list"))?;
    items.iter().map(|item| text_of(item, place)).collect()
}

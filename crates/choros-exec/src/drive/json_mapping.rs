//! The mapping file: which requests and responses carry the messages of a model.
//!
//! ```json
//! { "target": "http://127.0.0.1:8080",
//!   "listen": { "w": "127.0.0.1:9001" },
//!   "operations": {
//!     "Request": { "path": "/orders", "fields": ["amount"], "answers": ["Confirm", "Abort"] },
//!     "Confirm": { "constants": { "state": "confirmed" } },
//!     "Abort": { "status": 409 } } }
//! ```

use std::collections::BTreeMap;

use serde_json::Value as Json;

/// What a mapping file says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct JsonMapping {
    /// Where the service is.
    pub target: Option<String>,
    /// Where the tester listens for each role that it plays.
    pub listen: BTreeMap<String, String>,
    /// The operations that differ from the rule: `POST /operation`, fields by their labels, no answer.
    pub operations: BTreeMap<String, Exchange>,
}

/// How one operation travels.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Exchange {
    /// The method of the request; `POST` if nothing is said.
    pub method: Option<String>,
    /// Its path; the operation's name if nothing is said.
    pub path: Option<String>,
    /// Where each field stands in the body, as `a.b.c`.
    pub fields: Option<Vec<String>>,
    /// What the body has beside the fields, and what tells this message from others.
    pub constants: BTreeMap<String, Json>,
    /// The operations that come back as the response to this one.
    pub answers: Vec<String>,
    /// The status of the response that this is; any of success if nothing is said.
    pub status: Option<u16>,
}

/// Reads a mapping; the error says what is wrong with it.
pub fn read_mapping(text: &str) -> Result<JsonMapping, String> {
    let json: Json = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let object = json.as_object().ok_or("it is no object")?;
    let mut mapping = JsonMapping::default();
    for (key, value) in object {
        match key.as_str() {
            "target" => mapping.target = Some(text_of(value, "target")?),
            "listen" => {
                let roles = value.as_object().ok_or("`listen` is no object")?;
                for (role, address) in roles {
                    let address = text_of(address, &format!("listen.{role}"))?;
                    mapping.listen.insert(role.clone(), address);
                }
            }
            "operations" => {
                let operations = value.as_object().ok_or("`operations` is no object")?;
                for (operation, exchange) in operations {
                    let exchange = read_exchange(exchange, operation)?;
                    mapping.operations.insert(operation.clone(), exchange);
                }
            }
            other => {
                return Err(format!(
                    "`{other}` is not known; expected `target`, `listen` or `operations`"
                ));
            }
        }
    }
    for (operation, exchange) in &mapping.operations {
        for answer in &exchange.answers {
            // An operation may be answered under its own name.
            if answer != operation
                && mapping
                    .operations
                    .get(answer)
                    .is_some_and(|it| it.path.is_some() || it.method.is_some())
            {
                return Err(format!(
                    "`{answer}` is an answer to `{operation}`, so it has no path or method of its own"
                ));
            }
        }
    }
    Ok(mapping)
}

fn read_exchange(json: &Json, operation: &str) -> Result<Exchange, String> {
    let object = json
        .as_object()
        .ok_or_else(|| format!("`{operation}` is no object"))?;
    let mut exchange = Exchange::default();
    for (key, value) in object {
        let place = format!("{operation}.{key}");
        match key.as_str() {
            "method" => exchange.method = Some(text_of(value, &place)?),
            "path" => {
                let path = text_of(value, &place)?;
                if !path.starts_with('/') {
                    return Err(format!("`{place}` does not begin with `/`"));
                }
                exchange.path = Some(path);
            }
            "fields" => exchange.fields = Some(texts(value, &place)?),
            "answers" => exchange.answers = texts(value, &place)?,
            "status" => {
                let status = value.as_u64().and_then(|it| u16::try_from(it).ok());
                exchange.status = Some(
                    status
                        .filter(|status| (100..600).contains(status))
                        .ok_or_else(|| format!("`{place}` is no status such as 200"))?,
                );
            }
            "constants" => {
                let constants = value
                    .as_object()
                    .ok_or_else(|| format!("`{place}` is no object"))?;
                for (path, value) in constants {
                    exchange.constants.insert(path.clone(), value.clone());
                }
            }
            other => {
                return Err(format!(
                    "`{operation}.{other}` is not known; expected `method`, `path`, `fields`, `constants`, `answers` or `status`"
                ));
            }
        }
    }
    Ok(exchange)
}

fn text_of(json: &Json, place: &str) -> Result<String, String> {
    json.as_str()
        .map(str::to_owned)
        .ok_or_else(|| format!("`{place}` is no text"))
}

fn texts(json: &Json, place: &str) -> Result<Vec<String>, String> {
    let items = json
        .as_array()
        .ok_or_else(|| format!("`{place}` is no list"))?;
    items.iter().map(|item| text_of(item, place)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_named() {
        for (text, expected) in [
            ("[]", "it is no object"),
            (r#"{"operation": {}}"#, "`operation` is not known"),
            (
                r#"{"operations": {"a": {"path": "x"}}}"#,
                "does not begin with `/`",
            ),
            (r#"{"operations": {"a": {"status": 1000}}}"#, "no status"),
            (
                r#"{"operations": {"a": {"answers": ["b"]}, "b": {"path": "/b"}}}"#,
                "`b` is an answer to `a`",
            ),
        ] {
            let error = read_mapping(text).expect_err(text);
            assert!(error.contains(expected), "{error}");
        }
    }
}

//! The mapping file: which requests and responses carry the messages of a model.
//!
//! ```json
//! { "target": "http://127.0.0.1:8080",
//!   "listen": { "w": "127.0.0.1:9001" },
//!   "headers": { "authorization": "Bearer $TOKEN" },
//!   "operations": {
//!     "Request": { "path": "/orders", "fields": ["amount"], "answers": ["Confirm", "Abort"] },
//!     "Confirm": { "constants": { "state": "confirmed" } },
//!     "Abort": { "status": 409 },
//!     "Ask": { "method": "GET", "path": "/orders/{id}", "fields": [{ "path": "id" }] } } }
//! ```

use std::collections::BTreeMap;

use serde_json::Value as Json;

use crate::json_place::{FieldPlace, parameters};
use crate::secrets::Secrets;

/// What a mapping file says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct JsonMapping {
    /// The address of the service.
    pub target: Option<String>,
    /// Where the tester listens for each role that it plays.
    pub listen: BTreeMap<String, String>,
    /// Headers of every request to the service, before `$NAME` is replaced.
    pub headers: BTreeMap<String, String>,
    /// The operations that differ from the rule: `POST /operation`, fields by their labels, no answer.
    pub operations: BTreeMap<String, OperationMapping>,
}

impl JsonMapping {
    /// Replaces `$NAME` in headers by what the environment has under that name.
    pub fn fill_from_environment(&mut self, secrets: &Secrets) -> Result<(), String> {
        self.fill(|name| std::env::var(name).ok(), secrets)
    }

    /// Replaces `$NAME` in headers by what is known under that name, so that no secret stands in the file.
    ///
    /// Secrets are told to `secrets`, those in paths and constants too.
    fn fill(
        &mut self,
        known: impl Fn(&str) -> Option<String>,
        secrets: &Secrets,
    ) -> Result<(), String> {
        let paths = self.operations.values().filter_map(|it| it.path.as_ref());
        for address in self.target.iter().chain(paths) {
            secrets.note_address(address);
        }
        for (name, value) in self.operations.values().flat_map(|it| &it.constants) {
            secrets.note_value(name, value);
        }
        for (header, text) in &mut self.headers {
            let mut filled = String::new();
            for piece in pieces(text) {
                match piece {
                    HeaderPiece::Text(text) => {
                        secrets.note(header, None, &text);
                        filled.push_str(&text);
                    }
                    HeaderPiece::Named(name) => {
                        let value = known(&name).ok_or_else(|| {
                            format!(
                                "`headers.{header}` needs `${name}`, which is not set in the environment (`$$` is a dollar sign)"
                            )
                        })?;
                        secrets.note(header, Some(&name), &value);
                        filled.push_str(&value);
                    }
                }
            }
            check_header(header, &filled)?;
            *text = filled;
        }
        Ok(())
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeaderPiece {
    /// As it stands.
    Text(String),
    /// What the environment has under this name.
    Named(String),
}

/// The pieces of a header: `$NAME` is from the environment, `$$` is a dollar sign.
pub fn pieces(text: &str) -> Vec<HeaderPiece> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(dollar) = rest.find('$') {
        plain.push_str(&rest[..dollar]);
        rest = &rest[dollar + 1..];
        if let Some(behind) = rest.strip_prefix('$') {
            plain.push('$');
            rest = behind;
            continue;
        }
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        let (name, behind) = rest.split_at(end);
        pieces.push(HeaderPiece::Text(std::mem::take(&mut plain)));
        pieces.push(HeaderPiece::Named(name.to_owned()));
        rest = behind;
    }
    plain.push_str(rest);
    pieces.push(HeaderPiece::Text(plain));
    pieces.retain(|piece| *piece != HeaderPiece::Text(String::new()));
    pieces
}

/// How one operation travels.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OperationMapping {
    /// The method of the request; `POST` if nothing is said.
    pub method: Option<String>,
    /// Its path, with `{parameters}`; the operation's name if nothing is said.
    pub path: Option<String>,
    /// Where each field stands.
    pub fields: Option<Vec<FieldPlace>>,
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
    let object = json.as_object().ok_or("it is not an object")?;
    let mut mapping = JsonMapping::default();
    for (key, value) in object {
        match key.as_str() {
            "target" => mapping.target = Some(text_of(value, "target")?),
            "listen" => {
                let roles = value.as_object().ok_or("`listen` is not an object")?;
                for (role, address) in roles {
                    let address = text_of(address, &format!("listen.{role}"))?;
                    mapping.listen.insert(role.clone(), address);
                }
            }
            "headers" => {
                let headers = value.as_object().ok_or("`headers` is not an object")?;
                for (name, text) in headers {
                    let text = text_of(text, &format!("headers.{name}"))?;
                    check_header(name, &text)?;
                    mapping.headers.insert(name.clone(), text);
                }
            }
            "operations" => {
                let operations = value.as_object().ok_or("`operations` is not an object")?;
                for (operation, exchange) in operations {
                    let exchange = read_exchange(exchange, operation)?;
                    mapping.operations.insert(operation.clone(), exchange);
                }
            }
            other => {
                return Err(format!(
                    "`{other}` is not known; expected `target`, `listen`, `headers` or `operations`"
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
            let is_elsewhere = |place: &FieldPlace| !matches!(place, FieldPlace::Body(_));
            if answer != operation
                && mapping
                    .operations
                    .get(answer)
                    .is_some_and(|it| it.fields.iter().flatten().any(is_elsewhere))
            {
                return Err(format!(
                    "`{answer}` is an answer to `{operation}`, so its fields are in the body"
                ));
            }
        }
    }
    Ok(mapping)
}

fn read_exchange(json: &Json, operation: &str) -> Result<OperationMapping, String> {
    let object = json
        .as_object()
        .ok_or_else(|| format!("`{operation}` is not an object"))?;
    let mut exchange = OperationMapping::default();
    for (key, value) in object {
        let place = format!("{operation}.{key}");
        match key.as_str() {
            "method" => {
                let method = text_of(value, &place)?;
                if hyper::Method::from_bytes(method.as_bytes()).is_err() {
                    return Err(format!(
                        "`{place}` is not a method such as POST: `{method}`"
                    ));
                }
                exchange.method = Some(method);
            }
            "path" => {
                let path = text_of(value, &place)?;
                if !path.starts_with('/') {
                    return Err(format!("`{place}` does not begin with `/`"));
                }
                // A request that cannot be made would be blamed on the service.
                let filled = path.replace(['{', '}'], "");
                if let Err(error) = hyper::Uri::try_from(filled) {
                    return Err(format!(
                        "`{place}` cannot be requested: {error} in `{path}`"
                    ));
                }
                exchange.path = Some(path);
            }
            "fields" => {
                let items = value
                    .as_array()
                    .ok_or_else(|| format!("`{place}` is not a list"))?;
                let places = items.iter().map(|item| self::place(item, &place));
                exchange.fields = Some(places.collect::<Result<_, _>>()?);
            }
            "answers" => exchange.answers = texts(value, &place)?,
            "status" => {
                let status = value.as_u64().and_then(|it| u16::try_from(it).ok());
                exchange.status = Some(
                    status
                        .filter(|status| (100..600).contains(status))
                        .ok_or_else(|| format!("`{place}` is not a status such as 200"))?,
                );
            }
            "constants" => {
                let constants = value
                    .as_object()
                    .ok_or_else(|| format!("`{place}` is not an object"))?;
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
    check_parameters(&exchange, operation)?;
    Ok(exchange)
}

/// Each parameter of a path is one field, and each such field a parameter.
fn check_parameters(exchange: &OperationMapping, operation: &str) -> Result<(), String> {
    let path = exchange.path.as_deref().unwrap_or_default();
    let named: Vec<&str> = exchange
        .fields
        .iter()
        .flatten()
        .filter_map(|place| match place {
            FieldPlace::Path(name) => Some(name.as_str()),
            _ => None,
        })
        .collect();
    for name in parameters(path) {
        if named.iter().filter(|it| **it == name).count() != 1 {
            return Err(format!(
                "`{{{name}}}` in `{operation}.path` is not a field; expected `{{\"path\": \"{name}\"}}` in `{operation}.fields`"
            ));
        }
    }
    match named
        .iter()
        .find(|name| !parameters(path).any(|it| it == **name))
    {
        Some(name) => Err(format!("`{operation}.path` has no `{{{name}}}`")),
        None => Ok(()),
    }
}

/// Whether a header can be sent at all.
fn check_header(name: &str, text: &str) -> Result<(), String> {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.!#$%&'*+^`|~".contains(&byte);
    if name.is_empty() || !name.bytes().all(is_name) {
        return Err(format!("`{name}` is not a valid header name"));
    }
    if text.chars().any(char::is_control) {
        return Err(format!("`headers.{name}` has a control character"));
    }
    Ok(())
}

/// A place: a text for one in the body, or an object with one key.
fn place(json: &Json, at: &str) -> Result<FieldPlace, String> {
    if let Some(path) = json.as_str() {
        return Ok(FieldPlace::Body(path.to_owned()));
    }
    let named = json.as_object().filter(|object| object.len() == 1);
    let found = named.and_then(|object| object.iter().next());
    let Some((key, Json::String(name))) = found else {
        return Err(format!(
            "`{at}` has something that is neither a text nor `{{\"path\": …}}`, `{{\"query\": …}}` or `{{\"header\": …}}`"
        ));
    };
    match key.as_str() {
        "path" => Ok(FieldPlace::Path(name.clone())),
        "query" => Ok(FieldPlace::Query(name.clone())),
        "header" => {
            check_header(name, "")?;
            Ok(FieldPlace::Header(name.clone()))
        }
        other => Err(format!(
            "`{other}` in `{at}` is not known; expected `path`, `query` or `header`"
        )),
    }
}

fn text_of(json: &Json, place: &str) -> Result<String, String> {
    json.as_str()
        .map(str::to_owned)
        .ok_or_else(|| format!("`{place}` is not a text"))
}

fn texts(json: &Json, place: &str) -> Result<Vec<String>, String> {
    let items = json
        .as_array()
        .ok_or_else(|| format!("`{place}` is not a list"))?;
    items.iter().map(|item| text_of(item, place)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_filled_from_outside() {
        let text = r#"{"headers": {"authorization": "Bearer $TOKEN.", "price": "$$5"}}"#;
        let mut mapping = read_mapping(text).expect("a mapping");
        let known = |name: &str| (name == "TOKEN").then(|| "s3cret".to_owned());
        mapping
            .clone()
            .fill(|_| None, &Secrets::default())
            .expect_err("not known");
        mapping.fill(known, &Secrets::default()).expect("known");
        assert_eq!(mapping.headers["authorization"], "Bearer s3cret.");
        assert_eq!(mapping.headers["price"], "$5");
        let mut split = read_mapping(text).expect("a mapping");
        split
            .fill(|_| Some("a\r\nb: c".to_owned()), &Secrets::default())
            .expect_err("no header");
    }

    #[test]
    fn mistakes_are_named() {
        for (text, expected) in [
            ("[]", "it is not an object"),
            (r#"{"operation": {}}"#, "`operation` is not known"),
            (
                r#"{"operations": {"a": {"path": "x"}}}"#,
                "does not begin with `/`",
            ),
            (
                r#"{"operations": {"a": {"path": "/a>b"}}}"#,
                "`a.path` cannot be requested",
            ),
            (
                r#"{"operations": {"a": {"method": "GE T"}}}"#,
                "`a.method` is not a method",
            ),
            (
                r#"{"operations": {"a": {"status": 1000}}}"#,
                "is not a status",
            ),
            (
                r#"{"operations": {"a": {"answers": ["b"]}, "b": {"path": "/b"}}}"#,
                "`b` is an answer to `a`",
            ),
            (
                r#"{"operations": {"a": {"path": "/a/{id}"}}}"#,
                "`{id}` in `a.path` is not a field",
            ),
            (
                r#"{"operations": {"a": {"path": "/a", "fields": [{"path": "id"}]}}}"#,
                "`a.path` has no `{id}`",
            ),
            (
                r#"{"operations": {"a": {"fields": [{"cookie": "id"}]}}}"#,
                "`cookie` in `a.fields` is not known",
            ),
            (
                r#"{"operations": {"a": {"answers": ["b"]}, "b": {"fields": [{"query": "q"}]}}}"#,
                "its fields are in the body",
            ),
            (r#"{"headers": {"a b": "c"}}"#, "is not a valid header name"),
        ] {
            let error = read_mapping(text).expect_err(text);
            assert!(error.contains(expected), "{error}");
        }
    }
}

//! How HTTP messages become messages of services: a mapping file for the proxy.

use choros_bind::Statuses;
use serde_json::Value;
use thiserror::Error;

use crate::hiding::Redaction;

/// Which operation a message is, and where its identity and session stand.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Naming {
    /// Cases, the first that fits counts.
    pub cases: Vec<NamingRule>,
    /// Where the operation of a request stands when no case says it; by default it is the element below the SOAP body,
    /// or else the last part of the path.
    pub operation: Option<HttpPlace>,
    /// Where the identity of a message stands; by default exchanges are numbered.
    pub id: Option<HttpPlace>,
    /// Where the session stands.
    pub session: Option<HttpPlace>,
    /// What must not be written.
    pub redaction: Redaction,
}

/// What requests of one kind, and their responses, are called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamingRule {
    pub method: Option<String>,
    /// The path, part by part; `*` stands for one part, a last `**` for all the rest.
    pub path: Vec<String>,
    /// The operation of the request.
    pub request: OperationName,
    /// The operation of the response.
    pub response: OperationName,
}

/// The name of a message.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum OperationName {
    /// By the rules for messages that no case names.
    #[default]
    Default,
    /// This.
    Operation(String),
    /// It is not a message of the services, such as a health check or an acknowledgement.
    Nothing,
    /// For responses: by their status, the first that fits.
    ByStatus(Vec<(Statuses, OperationName)>),
}

impl OperationName {
    /// What a response with this status is called.
    pub(super) fn for_status(&self, status: u16) -> &OperationName {
        match self {
            OperationName::ByStatus(names) => {
                let named = names.iter().find(|(statuses, _)| statuses.has(status));
                named.map_or(&OperationName::Default, |(_, called)| called)
            }
            called => called,
        }
    }
}

/// A place in an HTTP message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HttpPlace {
    Header(String),
    /// A value of the body, by its path.
    Body(String),
    /// A parameter of the query.
    Query(String),
    /// A part of the path, counted from 0.
    Path(usize),
}

/// Why a mapping cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct NamingError(String);

/// Reads a mapping file: one JSON object.
pub fn read_naming(text: &str) -> Result<Naming, NamingError> {
    let value: Value =
        serde_json::from_str(text).map_err(|error| NamingError(error.to_string()))?;
    let Value::Object(object) = value else {
        return Err(NamingError("it is not a JSON object".to_owned()));
    };
    let mut naming = Naming::default();
    for (key, value) in &object {
        match (key.as_str(), value) {
            ("op", Value::String(text)) => naming.operation = Some(place(key, text)?),
            ("id", Value::String(text)) => naming.id = Some(place(key, text)?),
            ("session", Value::String(text)) => naming.session = Some(place(key, text)?),
            ("redact", Value::String(text)) => {
                naming.redaction = Redaction::parse(text).map_err(|wrong| {
                    NamingError(format!("no rule of redaction: {}", wrong.join(", ")))
                })?;
            }
            ("messages", Value::Object(cases)) => {
                for (pattern, names) in cases {
                    naming.cases.push(case(pattern, names)?);
                }
            }
            ("op" | "id" | "session" | "redact", _) => {
                return Err(NamingError(format!("`{key}` is a text")));
            }
            ("messages", _) => {
                return Err(NamingError(
                    "`messages` is an object such as {\"POST /quote\": {\"request\": \"Request\"}}"
                        .to_owned(),
                ));
            }
            (other, _) => {
                return Err(NamingError(format!(
                    "`{other}` is none of op, id, session, redact, messages"
                )));
            }
        }
    }
    Ok(naming)
}

impl Naming {
    /// The case of a request.
    pub(super) fn case(&self, method: &str, path: &str) -> Option<&NamingRule> {
        let parts: Vec<&str> = parts(path).collect();
        self.cases.iter().find(|case| {
            case.method.as_deref().is_none_or(|known| known == method) && fits(&case.path, &parts)
        })
    }
}

/// The parts of a path, without the query.
pub(super) fn parts(target: &str) -> impl Iterator<Item = &str> {
    let path = target.split('?').next().unwrap_or_default();
    path.split('/').filter(|part| !part.is_empty())
}

fn fits(pattern: &[String], parts: &[&str]) -> bool {
    match pattern.split_last() {
        Some((last, before)) if last == "**" => {
            parts.len() >= before.len() && fits(before, &parts[..before.len()])
        }
        _ => {
            pattern.len() == parts.len()
                && pattern
                    .iter()
                    .zip(parts)
                    .all(|(known, part)| known == "*" || known == part)
        }
    }
}

fn case(pattern: &str, names: &Value) -> Result<NamingRule, NamingError> {
    let (method, path) = match pattern.trim().split_once(' ') {
        Some((method, path)) => (Some(method.to_uppercase()), path.trim()),
        None => (None, pattern.trim()),
    };
    if !path.starts_with('/') {
        return Err(NamingError(format!(
            "`{pattern}` is not a request pattern: expected `/path` or `METHOD /path`"
        )));
    }
    let Value::Object(object) = names else {
        return Err(NamingError(format!(
            "`{pattern}` needs an object with `request` and `response`"
        )));
    };
    let mut case = NamingRule {
        method,
        path: parts(path).map(str::to_owned).collect(),
        request: OperationName::Default,
        response: OperationName::Default,
    };
    for (key, value) in object {
        let called = match (key.as_str(), value) {
            ("response", Value::Object(names)) => OperationName::ByStatus(by_status(pattern, names)?),
            _ => called(value).ok_or_else(|| {
                NamingError(format!(
                    "`{key}` of `{pattern}` is the name of an operation, or null for none; `response` may also be an \
                     object with a name per status, such as {{\"201\": \"Created\", \"4xx\": \"Refused\"}}"
                ))
            })?,
        };
        match key.as_str() {
            "request" => case.request = called,
            "response" => case.response = called,
            other => {
                return Err(NamingError(format!(
                    "`{other}` of `{pattern}` is neither request nor response"
                )));
            }
        }
    }
    Ok(case)
}

fn called(value: &Value) -> Option<OperationName> {
    match value {
        Value::String(name) if !name.is_empty() => Some(OperationName::Operation(name.clone())),
        Value::Null => Some(OperationName::Nothing),
        _ => None,
    }
}

fn by_status(
    pattern: &str,
    names: &serde_json::Map<String, Value>,
) -> Result<Vec<(Statuses, OperationName)>, NamingError> {
    let entries = names.iter().map(|(status, name)| {
        Statuses::parse(status).zip(called(name)).ok_or_else(|| {
            NamingError(format!(
                "`{status}` in `response` of `{pattern}`: expected a status such as `201`, `4xx` or `*`, and the name of \
                 an operation, or null for none"
            ))
        })
    });
    entries.collect()
}

fn place(key: &str, text: &str) -> Result<HttpPlace, NamingError> {
    let no = || {
        NamingError(format!(
            "`{key}` is `header.NAME`, `body.PATH`, `query.NAME` or `path.NUMBER`, not `{text}`"
        ))
    };
    let (kind, rest) = text.split_once('.').ok_or_else(no)?;
    if rest.is_empty() {
        return Err(no());
    }
    match kind {
        "header" => Ok(HttpPlace::Header(rest.to_ascii_lowercase())),
        "body" => Ok(HttpPlace::Body(rest.to_owned())),
        "query" => Ok(HttpPlace::Query(rest.to_owned())),
        "path" => rest.parse().map(HttpPlace::Path).map_err(|_| no()),
        _ => Err(no()),
    }
}

#[cfg(test)]
mod tests {
    use super::{HttpPlace, OperationName, read_naming};

    #[test]
    fn the_first_case_that_fits_counts() {
        let naming = read_naming(
            r#"{ "op": "header.X-Operation", "session": "path.1", "redact": "card",
                 "messages": { "GET /health": { "request": null, "response": null },
                               "post /orders/*/items": { "request": "Add" },
                               "/orders/**": { "response": "Order" } } }"#,
        )
        .unwrap();
        assert_eq!(
            naming.operation,
            Some(HttpPlace::Header("x-operation".to_owned()))
        );
        assert_eq!(naming.session, Some(HttpPlace::Path(1)));
        assert!(naming.redaction.covers("card"));
        let called = |method, path| {
            let case = naming.case(method, path);
            case.map(|case| (case.request.clone(), case.response.clone()))
        };
        let name = |text: &str| OperationName::Operation(text.to_owned());
        assert_eq!(
            called("GET", "/health?deep=1"),
            Some((OperationName::Nothing, OperationName::Nothing))
        );
        assert_eq!(
            called("POST", "/orders/7/items"),
            Some((name("Add"), OperationName::Default))
        );
        assert_eq!(
            called("PUT", "/orders/7/items"),
            Some((OperationName::Default, name("Order")))
        );
        assert_eq!(
            called("GET", "/orders"),
            Some((OperationName::Default, name("Order")))
        );
        assert_eq!(called("POST", "/health"), None);
    }

    #[test]
    fn responses_are_named_by_their_status() {
        let naming = read_naming(
            r#"{ "messages": { "/orders": { "response": { "201": "Accepted", "4xx": "Rejected", "204": null } } } }"#,
        )
        .unwrap();
        let response = &naming.case("POST", "/orders").unwrap().response;
        let name = |text: &str| OperationName::Operation(text.to_owned());
        assert_eq!(response.for_status(201), &name("Accepted"));
        assert_eq!(response.for_status(422), &name("Rejected"));
        assert_eq!(response.for_status(204), &OperationName::Nothing);
        assert_eq!(response.for_status(500), &OperationName::Default);
    }

    #[test]
    fn mistakes_say_what_was_expected() {
        for (text, expected) in [
            ("[]", "not a JSON object"),
            ("{", "EOF"),
            (r#"{"operation": "x"}"#, "none of op, id"),
            (r#"{"op": "name"}"#, "header.NAME"),
            (r#"{"id": "path.first"}"#, "path.NUMBER"),
            (r#"{"messages": {"quote": {}}}"#, "METHOD /path"),
            (
                r#"{"messages": {"/quote": {"request": 1}}}"#,
                "null for none",
            ),
            (
                r#"{"messages": {"/quote": {"answer": "x"}}}"#,
                "neither request nor response",
            ),
            (
                r#"{"messages": {"/quote": {"response": {"ok": "x"}}}}"#,
                "such as `201`, `4xx` or `*`",
            ),
            (r#"{"redact": "a..b"}"#, "a..b"),
        ] {
            let error = read_naming(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}

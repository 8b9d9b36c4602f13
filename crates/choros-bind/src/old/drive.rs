//! Mappings of `drive`: which requests and responses carry the messages of a model.
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

use choros_model::observation::{Datum, Number};
use serde_json::{Map, Value};

use super::json::{object, text_of, texts};
use crate::place::is_header;
use crate::{
    ANY_ROLE, Binding, FieldPlace, Fields, MessageBinding, Place, RequestPattern, RoleBinding,
    Statuses, Template, ValuePath,
};

/// A mapping of `drive` as a binding; the error says what is wrong with it.
pub fn drive_binding(text: &str) -> Result<Binding, String> {
    let mut binding = Binding::default();
    let mut service = RoleBinding {
        name: ANY_ROLE.to_owned(),
        ..RoleBinding::default()
    };
    let mut answers: Vec<(String, Vec<String>)> = Vec::new();
    for (key, value) in &object(text)? {
        match key.as_str() {
            "target" => service.address = Some(text_of(value, "target")?),
            "listen" => {
                let roles = value.as_object().ok_or("`listen` is not an object")?;
                for (role, address) in roles {
                    let address = text_of(address, &format!("listen.{role}"))?;
                    binding.roles.push(RoleBinding {
                        name: role.clone(),
                        listen: Some(address),
                        ..RoleBinding::default()
                    });
                }
            }
            "headers" => {
                let headers = value.as_object().ok_or("`headers` is not an object")?;
                for (name, text) in headers {
                    let text = text_of(text, &format!("headers.{name}"))?;
                    check_header(name, &text)?;
                    service.headers.push((name.clone(), text));
                }
            }
            "operations" => {
                let operations = value.as_object().ok_or("`operations` is not an object")?;
                for (operation, exchange) in operations {
                    let (message, answered) = message(exchange, operation)?;
                    binding.messages.push(message);
                    answers.push((operation.clone(), answered));
                }
            }
            other => {
                return Err(format!(
                    "`{other}` is not known; expected `target`, `listen`, `headers` or `operations`"
                ));
            }
        }
    }
    if service.address.is_some() || !service.headers.is_empty() {
        binding.roles.insert(0, service);
    }
    for (call, answered) in answers {
        for answer in answered {
            link(&mut binding, &call, &answer)?;
        }
    }
    Ok(binding)
}

/// One message answers another.
fn link(binding: &mut Binding, call: &str, answer: &str) -> Result<(), String> {
    if binding.message(answer).is_none() {
        binding.messages.push(MessageBinding::new(answer));
    }
    for message in &mut binding.messages {
        if message.name == call && message.request.is_none() {
            message.request = RequestPattern::parse(&format!("POST /{call}")).ok();
        }
        if message.name != answer {
            continue;
        }
        // An operation may be answered under its own name.
        if answer != call && message.request.is_some() && !message.response.contains(&message.name)
        {
            return Err(format!(
                "`{answer}` is an answer to `{call}`, so it has no path or method of its own"
            ));
        }
        if let Fields::Listed(places) = &message.fields
            && answer != call
            && places.iter().any(|it| !matches!(it.place, Place::Body(_)))
        {
            return Err(format!(
                "`{answer}` is an answer to `{call}`, so its fields are in the body"
            ));
        }
        message.response.push(call.to_owned());
    }
    Ok(())
}

/// A message, and the operations that answer it.
fn message(json: &Value, operation: &str) -> Result<(MessageBinding, Vec<String>), String> {
    let object = json
        .as_object()
        .ok_or_else(|| format!("`{operation}` is not an object"))?;
    let mut message = MessageBinding::new(operation);
    let mut answers = Vec::new();
    let (mut method, mut path) = (None, None);
    for (key, value) in object {
        let place = format!("{operation}.{key}");
        match key.as_str() {
            "method" => {
                let text = text_of(value, &place)?;
                if text.is_empty() || !text.bytes().all(|it| it.is_ascii_alphabetic()) {
                    return Err(format!("`{place}` is not a method such as POST: `{text}`"));
                }
                method = Some(text);
            }
            "path" => {
                let text = text_of(value, &place)?;
                if !text.starts_with('/') {
                    return Err(format!("`{place}` does not begin with `/`"));
                }
                // A request that cannot be made would be blamed on the service.
                let read = Template::parse(&text);
                path =
                    Some(read.map_err(|error| format!("`{place}` cannot be requested: {error}"))?);
            }
            "fields" => {
                let items = value
                    .as_array()
                    .ok_or_else(|| format!("`{place}` is not a list"))?;
                let places = items.iter().map(|item| field(item, &place));
                message.fields = Fields::Listed(places.collect::<Result<_, _>>()?);
            }
            "answers" => answers = texts(value, &place)?,
            "status" => {
                let status = value
                    .as_u64()
                    .and_then(|it| Statuses::parse(&it.to_string()));
                let status =
                    status.ok_or_else(|| format!("`{place}` is not a status such as 200"))?;
                message.status = vec![status];
            }
            "constants" => {
                let constants = value
                    .as_object()
                    .ok_or_else(|| format!("`{place}` is not an object"))?;
                message.when = conditions(constants, &place)?;
            }
            other => {
                return Err(format!(
                    "`{operation}.{other}` is not known; expected `method`, `path`, `fields`, `constants`, `answers` or `status`"
                ));
            }
        }
    }
    if method.is_some() || path.is_some() {
        let own = || Template::parse(&format!("/{operation}"));
        message.request = Some(RequestPattern {
            method: Some(method.unwrap_or_else(|| "POST".to_owned())),
            path: path.map_or_else(own, Ok)?,
        });
    }
    check_parameters(&message, operation)?;
    Ok((message, answers))
}

/// Each parameter of a path is one field, and each such field a parameter.
fn check_parameters(message: &MessageBinding, operation: &str) -> Result<(), String> {
    let path = message.request.as_ref().map(|it| &it.path);
    let parameters: Vec<&str> = path.iter().flat_map(|it| it.parameters()).collect();
    let listed = match &message.fields {
        Fields::Listed(places) => &places[..],
        Fields::Named(_) => &[],
    };
    let named = listed.iter().filter_map(|it| match &it.place {
        Place::Path(name) => Some(name.as_str()),
        _ => None,
    });
    let named: Vec<&str> = named.collect();
    for name in &parameters {
        if named.iter().filter(|it| *it == name).count() != 1 {
            return Err(format!(
                "`{{{name}}}` in `{operation}.path` is not a field; expected `{{\"path\": \"{name}\"}}` in `{operation}.fields`"
            ));
        }
    }
    match named.iter().find(|name| !parameters.contains(name)) {
        Some(name) => Err(format!("`{operation}.path` has no `{{{name}}}`")),
        None => Ok(()),
    }
}

/// Whether a header can be sent at all.
fn check_header(name: &str, text: &str) -> Result<(), String> {
    if !is_header(name) {
        return Err(format!("`{name}` is not a valid header name"));
    }
    if text.chars().any(char::is_control) {
        return Err(format!("`headers.{name}` has a control character"));
    }
    Ok(())
}

/// A place: a text for one in the body, or an object with one key.
fn field(json: &Value, at: &str) -> Result<FieldPlace, String> {
    if let Some(path) = json.as_str() {
        return Ok(Place::Body(body_path(path)).into());
    }
    let named = json.as_object().filter(|object| object.len() == 1);
    let found = named.and_then(|object| object.iter().next());
    let Some((key, Value::String(name))) = found else {
        return Err(format!(
            "`{at}` has something that is neither a text nor `{{\"path\": …}}`, `{{\"query\": …}}` or `{{\"header\": …}}`"
        ));
    };
    match key.as_str() {
        "path" => Ok(Place::Path(name.clone()).into()),
        "query" => Ok(Place::Query(name.clone()).into()),
        "header" => {
            check_header(name, "")?;
            Ok(Place::Header(name.to_ascii_lowercase()).into())
        }
        other => Err(format!(
            "`{other}` in `{at}` is not known; expected `path`, `query` or `header`"
        )),
    }
}

fn body_path(path: &str) -> ValuePath {
    ValuePath::dotted(if path == "." { "" } else { path })
}

/// Constants of a body, one by one.
fn conditions(
    constants: &Map<String, Value>,
    at: &str,
) -> Result<Vec<(Place, Datum<'static>)>, String> {
    let mut found = Vec::new();
    let pending = constants.iter().map(|(path, value)| {
        let labels = body_path(path).labels().to_vec();
        (labels, value)
    });
    let mut pending: Vec<(Vec<String>, &Value)> = pending.collect();
    pending.reverse();
    while let Some((labels, value)) = pending.pop() {
        let below = |label: &str| [&labels[..], &[label.to_owned()]].concat();
        let datum = match value {
            Value::Null => Datum::Null,
            Value::Bool(truth) => Datum::Bool(*truth),
            Value::Number(number) => match Number::parse(&number.to_string()) {
                Ok(number) => Datum::Number(number),
                Err(_) => return Err(format!("`{at}` has a number that is too long: {number}")),
            },
            Value::String(text) => Datum::Text(text.clone().into()),
            Value::Array(items) if !items.is_empty() => {
                let items = items.iter().enumerate().rev();
                pending.extend(items.map(|(at, it)| (below(&at.to_string()), it)));
                continue;
            }
            Value::Object(fields) if !fields.is_empty() => {
                pending.extend(fields.iter().rev().map(|(label, it)| (below(label), it)));
                continue;
            }
            Value::Array(_) | Value::Object(_) => {
                return Err(format!("`{at}` has a value without content: {value}"));
            }
        };
        found.push((Place::Body(ValuePath::new(labels)), datum));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::drive_binding;

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
                "no path or method of its own",
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
                r#"{"headers": {"a b": "x"}}"#,
                "`a b` is not a valid header name",
            ),
        ] {
            let error = drive_binding(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn answers_become_responses() {
        let binding = drive_binding(
            r#"{"operations": {"Ask": {"answers": ["Yes", "Ask"]},
                "Yes": {"constants": {"a": {"b": [1, null]}}}}}"#,
        )
        .unwrap();
        assert_eq!(binding.message("Yes").unwrap().response, ["Ask"]);
        assert_eq!(binding.message("Ask").unwrap().response, ["Ask"]);
        let when: Vec<String> = binding
            .message("Yes")
            .unwrap()
            .when
            .iter()
            .map(|it| format!("{} {}", it.0, it.1))
            .collect();
        assert_eq!(when, ["body.a.b.0 1", "body.a.b.1 null"]);
    }
}

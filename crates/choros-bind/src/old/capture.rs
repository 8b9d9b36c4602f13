//! Mappings of `capture`: what requests and responses are called.

use serde_json::{Map, Value};

use super::json::text_of;
use super::{OldKind, Translated};
use crate::{Binding, MessageBinding, Place, RequestPattern, Statuses, is_redaction_rule};

pub(super) fn translated(object: &Map<String, Value>) -> Result<Translated, String> {
    let mut binding = Binding::default();
    let mut left_out = Vec::new();
    for (key, value) in object {
        match key.as_str() {
            "op" | "id" | "session" => {
                let text = text_of(value, key)?;
                let place = Place::parse(&text)?;
                if matches!(&place, Place::Path(name) if name.parse::<usize>().is_ok()) {
                    left_out.push(format!(
                        "`{key}` is `{text}`: in a binding, parts of a path have names, such as `path.id` with `request = \"POST /orders/{{id}}\"`"
                    ));
                    continue;
                }
                match key.as_str() {
                    "op" => binding.op = vec![place],
                    "id" => binding.id = vec![place],
                    _ => binding.session = vec![place],
                }
            }
            "redact" => binding.hide.secret = rules(&text_of(value, key)?)?,
            "messages" => {
                let cases = value.as_object().ok_or("`messages` is not an object")?;
                for (pattern, names) in cases {
                    case(pattern, names, &mut binding, &mut left_out)?;
                }
            }
            other => {
                return Err(format!(
                    "`{other}` is none of op, id, session, redact, messages"
                ));
            }
        }
    }
    Ok(Translated {
        kind: OldKind::Capture,
        binding,
        left_out,
    })
}

/// Rules of redaction, between commas.
pub(super) fn rules(text: &str) -> Result<Vec<String>, String> {
    let rules = text.split(',').map(str::trim).filter(|it| !it.is_empty());
    rules
        .map(|rule| {
            if is_redaction_rule(rule) {
                Ok(rule.to_owned())
            } else {
                Err(format!("no rule of redaction: {rule}"))
            }
        })
        .collect()
}

fn case(
    pattern: &str,
    names: &Value,
    binding: &mut Binding,
    left_out: &mut Vec<String>,
) -> Result<(), String> {
    let request = RequestPattern::parse(pattern)?;
    let names = names
        .as_object()
        .ok_or_else(|| format!("`{pattern}` needs an object with `request` and `response`"))?;
    let last = pattern
        .rsplit('/')
        .find(|it| !it.is_empty())
        .unwrap_or_default();
    let call = match names.get("request") {
        Some(Value::String(name)) => name.clone(),
        // What is not a message is not bound.
        Some(Value::Null) => return Ok(()),
        _ if last.contains(['*', '{']) => {
            left_out.push(format!(
                "`{pattern}` does not say what its requests are called"
            ));
            return Ok(());
        }
        _ => last.to_owned(),
    };
    let mut message = MessageBinding::new(&call);
    message.request = Some(request);
    add(binding, message, left_out);
    let mut answers: Vec<(Vec<Statuses>, &Value)> = Vec::new();
    match names.get("response") {
        None => {}
        Some(Value::Object(by_status)) => {
            for (status, name) in by_status {
                let status = Statuses::parse(status).ok_or_else(|| {
                    format!("`{status}` in `response` of `{pattern}` is not a status")
                })?;
                answers.push((vec![status], name));
            }
        }
        Some(name) => answers.push((vec![Statuses::All], name)),
    }
    for (status, name) in answers {
        let Value::String(name) = name else { continue };
        let known = binding.messages.iter_mut().find(|it| it.name == *name);
        match known {
            Some(known) if !known.response.is_empty() || known.name == call => {
                if !known.response.contains(&call) {
                    known.response.push(call.clone());
                }
                known.status.extend(status);
            }
            Some(_) => left_out.push(format!("`{name}` is a request and a response")),
            None => {
                let mut message = MessageBinding::new(name);
                message.response = vec![call.clone()];
                message.status = status;
                binding.messages.push(message);
            }
        }
    }
    Ok(())
}

fn add(binding: &mut Binding, message: MessageBinding, left_out: &mut Vec<String>) {
    if binding.message(&message.name).is_some() {
        left_out.push(format!(
            "`{}` is the name of several requests; the first counts",
            message.name
        ));
    } else {
        binding.messages.push(message);
    }
}

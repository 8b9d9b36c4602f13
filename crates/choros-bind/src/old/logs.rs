//! Mappings of logs: which paths of a record are which part of an observation.

use serde_json::{Map, Value};

use super::capture::rules;
use super::json::text_of;
use super::{OldKind, Translated};
use crate::{Binding, LogRules, MessageBinding, Part, PartSource, Side, TIME_FORMS};

pub(super) fn translated(object: &Map<String, Value>) -> Result<Translated, String> {
    let mut binding = Binding::default();
    let mut log = LogRules::default();
    for (key, value) in object {
        if let Some(part) = Part::ALL.into_iter().find(|it| it.name() == key) {
            log.parts.push((part, vec![source(key, value)?]));
            continue;
        }
        match key.as_str() {
            "data" => {
                let path = text_of(value, key)?;
                log.parts.push((Part::Body, vec![PartSource::Path(path)]));
            }
            "time" => {
                let word = text_of(value, key)?;
                if !TIME_FORMS.contains(&word.as_str()) {
                    let names = TIME_FORMS.join(", ");
                    return Err(format!("`time` is one of {names}, not `{word}`"));
                }
                log.time = Some(word);
            }
            "element" => log.element = Some(text_of(value, key)?),
            "send" | "recv" => {
                let words = match value {
                    Value::Array(items) => items.clone(),
                    other => vec![other.clone()],
                };
                for word in &words {
                    log.directions.push((text_of(word, key)?, key == "send"));
                }
            }
            "lossy" => match value.as_bool() {
                Some(lossy) => log.lossy = Some(lossy),
                None => return Err("`lossy` is true or false".to_owned()),
            },
            "redact" => binding.hide.secret = rules(&text_of(value, key)?)?,
            "messages" => {
                let cases = value.as_object().ok_or("`messages` is not an object")?;
                for (name, case) in cases {
                    messages(name, case, &mut binding, &mut log)?;
                }
            }
            other => {
                return Err(format!(
                    "`{other}` is none of at, time, by, dir, send, recv, from, to, op, id, session, data, element, lossy, redact, messages"
                ));
            }
        }
    }
    if log.part(Part::Op).is_empty() {
        return Err("it does not say where to find `op`".to_owned());
    }
    // The whole record, where nothing else is said.
    if log.part(Part::Body).is_empty() {
        log.parts
            .push((Part::Body, vec![PartSource::Path(String::new())]));
    }
    binding.others_by_name = true;
    log.parts.sort_by_key(|(part, _)| *part);
    binding.logs.push(log);
    Ok(Translated {
        kind: OldKind::Logs,
        binding,
        left_out: Vec::new(),
    })
}

fn source(key: &str, value: &Value) -> Result<PartSource, String> {
    if let Some(path) = value.as_str() {
        return Ok(PartSource::Path(path.to_owned()));
    }
    match value.get("value").and_then(Value::as_str) {
        Some(fixed) => Ok(PartSource::Value(fixed.to_owned())),
        None => Err(format!(
            "`{key}` is a path such as \"message.name\", or {{\"value\": \"s\"}}"
        )),
    }
}

fn messages(
    name: &str,
    case: &Value,
    binding: &mut Binding,
    log: &mut LogRules,
) -> Result<(), String> {
    let case = case
        .as_object()
        .ok_or("a message is an object with `from`, `to`, `dir`")?;
    let mut message = MessageBinding::new(name);
    for (key, value) in case {
        let word = text_of(value, key)?;
        let part = match (key.as_str(), word.as_str()) {
            ("from", _) => Part::From,
            ("to", _) => Part::To,
            ("dir", "send" | "recv") => Part::Dir,
            ("dir", _) => return Err("`dir` is send or recv".to_owned()),
            (other, _) => return Err(format!("`{other}` is none of from, to, dir")),
        };
        if name == "*" {
            // What is so for every message is so for the log.
            match log.parts.iter_mut().find(|(it, _)| *it == part) {
                Some((_, sources)) => sources.push(PartSource::Value(word)),
                None => log.parts.push((part, vec![PartSource::Value(word)])),
            }
            continue;
        }
        match part {
            Part::From => message.from = Some(word),
            Part::To => message.to = Some(word),
            _ => message.dir = Side::named(&word),
        }
    }
    if name != "*" {
        binding.messages.push(message);
    }
    Ok(())
}

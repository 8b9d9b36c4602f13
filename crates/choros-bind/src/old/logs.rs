//! Mappings of logs: which paths of a record are which part of an observation.

use serde_json::{Map, Value};

use super::capture::rules;
use super::json::text_of;
use super::{OldKind, Translated};
use crate::{Binding, LogRules, MessageBinding, Part, PartSource};

pub(super) fn translated(object: &Map<String, Value>) -> Result<Translated, String> {
    let mut binding = Binding::default();
    let mut log = LogRules::default();
    let mut left_out = Vec::new();
    // Who wrote the records of each message, where it is said whether that is its sender or its receiver.
    let mut writers: Vec<(String, Option<String>)> = Vec::new();
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
            "time" => log.time = Some(text_of(value, key)?),
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
            "lossy" => log.lossy = value.as_bool(),
            "redact" => binding.hide.secret = rules(&text_of(value, key)?),
            "messages" => {
                let cases = value.as_object().ok_or("`messages` is not an object")?;
                for (name, case) in cases {
                    messages(name, case, &mut binding, &mut log, &mut writers)?;
                }
            }
            other => {
                return Err(format!(
                    "`{other}` is none of at, time, by, dir, send, recv, from, to, op, id, session, data, element, lossy, redact, messages"
                ));
            }
        }
    }
    // The whole record, where nothing else is said.
    if log.part(Part::Body).is_empty() {
        log.parts
            .push((Part::Body, vec![PartSource::Path(String::new())]));
    }
    let writer = writers.first().and_then(|(_, writer)| writer.clone());
    if writer.is_some() && writers.iter().all(|(_, it)| *it == writer) {
        if log.part(Part::By).is_empty() {
            let writer = writer.unwrap_or_default();
            log.parts.push((Part::By, vec![PartSource::Value(writer)]));
        }
    } else {
        left_out.extend(writers.into_iter().map(|(name, _)| {
            format!(
                "`dir` of `{name}`: a record is a sending or a reception by who wrote it: say `by`, or whose log it is"
            )
        }));
    }
    log.parts.sort_by_key(|(part, _)| *part);
    binding.logs.push(log);
    Ok(Translated {
        kind: OldKind::Logs,
        binding,
        left_out,
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
    writers: &mut Vec<(String, Option<String>)>,
) -> Result<(), String> {
    let case = case
        .as_object()
        .ok_or("a message is an object with `from`, `to`, `dir`")?;
    let mut message = MessageBinding::new(name);
    for (key, value) in case {
        let word = text_of(value, key)?;
        let part = match key.as_str() {
            "from" => Part::From,
            "to" => Part::To,
            _ => Part::Dir,
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
            _ => {}
        }
    }
    if let Some(direction) = case
        .get("dir")
        .and_then(Value::as_str)
        .filter(|_| name != "*")
    {
        let end = if direction == "send" {
            &message.from
        } else {
            &message.to
        };
        writers.push((name.to_owned(), end.clone()));
    }
    if name != "*" {
        binding.messages.push(message);
    }
    Ok(())
}

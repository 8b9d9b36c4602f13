//! Mappings of `capture`: what requests and responses are called.
//!
//! ```json
//! { "session": "header.X-Session",
//!   "redact": "card",
//!   "messages": {
//!     "GET /health": { "request": null, "response": null },
//!     "POST /orders/*": { "request": "Order", "response": { "201": "Accepted", "4xx": "Refused", "204": null } },
//!     "/orders/**": { "response": "Orders" } } }
//! ```
//!
//! The first case that fits counted, and what no case names was what it calls itself.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::json::text_of;
use super::{OldKind, Translated};
use crate::{Binding, MessageBinding, Place, RequestPattern, Statuses, is_redaction_rule};

/// What requests of one kind, and their responses, are called.
struct Case {
    pattern: RequestPattern,
    request: Called,
    /// By their status, the first that fits.
    responses: Vec<(Statuses, Called)>,
}

#[derive(PartialEq)]
enum Called {
    /// What it calls itself.
    ByName,
    /// This.
    Named(String),
    /// It is not a message.
    Nothing,
}

pub(super) fn translated(object: &Map<String, Value>) -> Result<Translated, String> {
    let mut binding = Binding {
        others_by_name: true,
        ..Binding::default()
    };
    let mut cases: Vec<Case> = Vec::new();
    let mut left_out = Vec::new();
    for (key, value) in object {
        match key.as_str() {
            "op" => binding.op = vec![place(key, value)?],
            "id" => binding.id = vec![place(key, value)?],
            "session" => binding.session = vec![place(key, value)?],
            "redact" => binding.hide.secret = rules(&text_of(value, key)?)?,
            "messages" => {
                let named = value.as_object().ok_or(
                    "`messages` is not an object such as {\"POST /quote\": {\"request\": \"Request\"}}",
                )?;
                for (pattern, names) in named {
                    let case = case(pattern, names)?;
                    if is_reached(&case, &cases, &mut left_out) {
                        cases.push(case);
                    }
                }
            }
            other => {
                return Err(format!(
                    "`{other}` is none of op, id, session, redact, messages"
                ));
            }
        }
    }
    let mut translation = Translation {
        taken: cases.iter().flat_map(names).map(str::to_owned).collect(),
        binding,
        left_out,
    };
    for case in &cases {
        translation.bind(case);
    }
    let Translation {
        binding, left_out, ..
    } = translation;
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

fn place(key: &str, value: &Value) -> Result<Place, String> {
    let text = text_of(value, key)?;
    let place = Place::parse(&text).ok().filter(|place| match place {
        Place::Header(_) | Place::Query(_) => true,
        Place::Body(path) => !path.text().is_empty(),
        Place::Path(number) => number.parse::<usize>().is_ok(),
        _ => false,
    });
    place.ok_or_else(|| {
        format!(
            "`{key}` is `header.NAME`, `body.PATH`, `query.NAME` or `path.NUMBER`, not `{text}`"
        )
    })
}

fn case(pattern: &str, names: &Value) -> Result<Case, String> {
    let mut request = RequestPattern::parse(pattern)?;
    request.path = request.path.without_empty_parts();
    let names = names
        .as_object()
        .ok_or_else(|| format!("`{pattern}` needs an object with `request` and `response`"))?;
    let mut case = Case {
        pattern: request,
        request: Called::ByName,
        responses: Vec::new(),
    };
    for (key, value) in names {
        let named = || {
            called(value).ok_or_else(|| {
                format!(
                    "`{key}` of `{pattern}` is the name of an operation, or null for none; `response` may also be an \
                     object with a name per status, such as {{\"201\": \"Created\", \"4xx\": \"Refused\"}}"
                )
            })
        };
        match (key.as_str(), value) {
            ("request", _) => case.request = named()?,
            ("response", Value::Object(by_status)) => {
                for (status, name) in by_status {
                    let named = Statuses::parse(status).zip(called(name));
                    case.responses.push(named.ok_or_else(|| {
                        format!(
                            "`{status}` in `response` of `{pattern}`: expected a status such as `201`, `4xx` or `*`, and \
                             the name of an operation, or null for none"
                        )
                    })?);
                }
            }
            ("response", _) => case.responses.push((Statuses::All, named()?)),
            (other, _) => {
                return Err(format!(
                    "`{other}` of `{pattern}` is neither request nor response"
                ));
            }
        }
    }
    Ok(case)
}

fn called(value: &Value) -> Option<Called> {
    match value {
        // With a slash it would be a pattern of requests.
        Value::String(name) if !(name.is_empty() || name.contains('/')) => {
            Some(Called::Named(name.clone()))
        }
        Value::Null => Some(Called::Nothing),
        _ => None,
    }
}

/// Whether a case comes before all that fit the same requests; in a binding, the most exact one counts.
fn is_reached(case: &Case, before: &[Case], left_out: &mut Vec<String>) -> bool {
    let pattern = &case.pattern;
    let wider = before.iter().find(|it| it.pattern.covers(pattern));
    if let Some(wider) = wider {
        let wider = &wider.pattern;
        left_out.push(format!(
            "`{pattern}` comes after `{wider}`, which takes all its requests: it never counted"
        ));
        return false;
    }
    for other in before.iter().map(|it| &it.pattern) {
        if other.overlaps(pattern) && other.exactness() <= pattern.exactness() {
            let more = if other.exactness() == pattern.exactness() {
                "now neither does"
            } else {
                "now the second does, which says more"
            };
            left_out.push(format!(
                "`{other}` and `{pattern}` fit the same requests: the first counted, and {more}"
            ));
        }
    }
    true
}

/// The names that a case gives.
fn names(case: &Case) -> impl Iterator<Item = &str> {
    let all = case.responses.iter().map(|(_, called)| called);
    all.chain([&case.request])
        .filter_map(|called| match called {
            Called::Named(name) => Some(name.as_str()),
            _ => None,
        })
}

/// A binding in the making.
struct Translation {
    binding: Binding,
    left_out: Vec<String>,
    /// Names of messages, and of what is not one.
    taken: BTreeSet<String>,
}

impl Translation {
    /// Binds what a case names.
    fn bind(&mut self, case: &Case) {
        let call = self.bind_request(case);
        let mut seen: Vec<Statuses> = Vec::new();
        for (status, called) in &case.responses {
            // The first that fits counted.
            if seen.iter().any(|it| it.covers(*status)) {
                continue;
            }
            seen.push(*status);
            match called {
                Called::ByName => {}
                Called::Nothing if case.request == Called::Nothing => {}
                Called::Nothing => {
                    let mut ignored = self.not_a_message(&format!("{} {status}", case.pattern));
                    answer(&mut ignored, call, &case.pattern, *status);
                    self.binding.ignored.push(ignored);
                }
                Called::Named(name) => self.bind_response(name, call, case, *status),
            }
        }
    }

    /// The message that the requests of a case are, if they are one; its responses answer it, or requests of the pattern.
    fn bind_request<'c>(&mut self, case: &'c Case) -> Option<&'c str> {
        let pattern = &case.pattern;
        let name = match &case.request {
            Called::ByName => return None,
            Called::Named(name) => name,
            Called::Nothing => {
                let mut ignored = self.not_a_message(&pattern.to_string());
                ignored.request = Some(pattern.clone());
                self.binding.ignored.push(ignored);
                if case.responses.iter().all(|(it, _)| *it != Statuses::All) {
                    self.left_out.push(format!(
                        "`{pattern}` is not a message, so that its other responses are none either"
                    ));
                }
                return None;
            }
        };
        match self.binding.messages.iter_mut().find(|it| it.name == *name) {
            None => {
                let mut message = MessageBinding::new(name);
                message.request = Some(pattern.clone());
                self.binding.messages.push(message);
            }
            Some(known) if known.request.is_some() => known.more_requests.push(pattern.clone()),
            Some(_) => {
                self.left_out.push(both(name));
                return None;
            }
        }
        Some(name)
    }

    fn bind_response(&mut self, name: &str, call: Option<&str>, case: &Case, status: Statuses) {
        let pattern = &case.pattern;
        match self.binding.messages.iter_mut().find(|it| it.name == name) {
            None => {
                let mut message = MessageBinding::new(name);
                answer(&mut message, call, pattern, status);
                self.binding.messages.push(message);
            }
            Some(known) if known.request.is_some() && call != Some(name) => {
                self.left_out.push(both(name));
            }
            Some(known) => answer(known, call, pattern, status),
        }
    }

    /// What is not a message, under a name made of its pattern: `health`, `orders-204`.
    fn not_a_message(&mut self, text: &str) -> MessageBinding {
        let skipped = usize::from(!text.starts_with('/'));
        let parts = text.split(['/', ' ']).skip(skipped);
        let is_word = |it: &&str| !it.is_empty() && !it.contains(['*', '{', '%']);
        let words: Vec<&str> = parts.filter(is_word).collect();
        let stem = match &words[..] {
            [] => "others".to_owned(),
            words => words.join("-"),
        };
        let mut name = stem.clone();
        let mut number = 1;
        while !self.taken.insert(name.clone()) {
            number += 1;
            name = format!("{stem}-{number}");
        }
        MessageBinding::new(name)
    }
}

fn both(name: &str) -> String {
    format!("`{name}` is a request and a response")
}

/// The message answers a call, or requests of a pattern, with this status too.
fn answer(
    message: &mut MessageBinding,
    call: Option<&str>,
    pattern: &RequestPattern,
    status: Statuses,
) {
    match call {
        Some(call) if message.response.iter().all(|it| it != call) => {
            message.response.push(call.to_owned());
        }
        Some(_) => {}
        None if message.answers.last() == Some(pattern) => {}
        None => message.answers.push(pattern.clone()),
    }
    if !message.status.contains(&status) {
        message.status.push(status);
    }
}

#[cfg(test)]
mod tests {
    use crate::{OldKind, translate_as};

    fn toml(text: &str) -> (String, Vec<String>) {
        let translated = translate_as(text, OldKind::Capture).unwrap();
        let text = translated.binding.to_toml(&[]);
        // Without the head, which every one of them has, and without remarks.
        let lines = text.lines().skip(1).filter(|it| !it.is_empty());
        let lines = lines.map(|it| it.split("  #").next().unwrap_or(it).trim_end());
        (lines.collect::<Vec<_>>().join("\n"), translated.left_out)
    }

    #[test]
    fn everything_is_said_once() {
        let (text, left_out) = toml(
            r#"{ "op": "header.X-Operation", "id": "query.n", "session": "path.1", "redact": "card",
                 "messages": { "GET /health": { "request": null, "response": null },
                               "post /orders/*/items/": { "request": "Add" },
                               "POST /orders": { "request": "Order",
                                   "response": { "201": "Accepted", "2xx": null, "204": "Late", "4xx": "Refused" } },
                               "/more": { "request": "Add", "response": "Refused" },
                               "/orders/**": { "response": "Orders" } } }"#,
        );
        assert_eq!(left_out, [""; 0]);
        assert_eq!(
            text,
            r#"session = "path.1"
id = "query.n"
op = "header.x-operation"
others = "by-name"
[messages.Add]
request = ["POST /orders/*/items", "/more"]
[messages.Order]
request = "POST /orders"
[messages.Accepted]
response = "Order"
status = 201
[messages.Refused]
response = ["Order", "Add"]
status = ["4xx", "*"]
[messages.Orders]
response = "/orders/**"
status = "*"
[ignore.health]
request = "GET /health"
[ignore.orders-2xx]
response = "Order"
status = "2xx"
[hide]
secret = "card""#
        );
    }

    #[test]
    fn the_order_of_cases_is_kept_or_told() {
        let (_, left_out) = toml(
            r#"{ "messages": { "/orders/**": { "request": "A" }, "GET /orders/7": { "request": "B" } } }"#,
        );
        assert_eq!(
            left_out,
            [
                "`GET /orders/7` comes after `/orders/**`, which takes all its requests: it never counted"
            ]
        );
        let (_, left_out) =
            toml(r#"{ "messages": { "/a/*": { "request": "A" }, "/*/b": { "request": "B" } } }"#);
        assert_eq!(
            left_out,
            ["`/a/*` and `/*/b` fit the same requests: the first counted, and now neither does"]
        );
    }

    #[test]
    fn mistakes_say_what_was_expected() {
        for (text, expected) in [
            ("[]", "not an object"),
            ("{", "EOF"),
            (r#"{"operation": "x"}"#, "none of op, id"),
            (r#"{"op": "name"}"#, "header.NAME"),
            (r#"{"id": "path.first"}"#, "path.NUMBER"),
            (r#"{"messages": {"quote": {}}}"#, "does not begin with `/`"),
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
            let error = translate_as(text, OldKind::Capture).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}

//! The three mapping files of earlier versions, as bindings.
//!
//! A mapping of `drive` has `operations`, one of `capture` has requests in `messages`, any other is of logs.

mod capture;
mod drive;
mod json;
mod logs;

use serde_json::Value;

use crate::{Binding, RoleBinding};

pub use drive::drive_binding;

/// Which verb a mapping was for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OldKind {
    Drive,
    Capture,
    Logs,
}

/// An old mapping as a binding, and what could not be carried over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Translated {
    pub kind: OldKind,
    pub binding: Binding,
    /// In words, each with its reason.
    pub left_out: Vec<String>,
}

/// Translates a mapping of an earlier version, of whichever verb; the error says what is wrong with it.
pub fn translate(text: &str) -> Result<Translated, String> {
    let json = json::object(text)?;
    let is_request = |name: &String| name.contains('/');
    let messages = json.get("messages").and_then(Value::as_object);
    let is_place = |key: &str| {
        let text = json.get(key).and_then(Value::as_str).unwrap_or_default();
        ["header.", "query.", "path."]
            .iter()
            .any(|it| text.starts_with(it))
    };
    let drives = ["target", "listen", "headers", "operations"];
    let kind = if drives.iter().any(|key| json.contains_key(*key)) {
        OldKind::Drive
    } else if messages.is_some_and(|it| it.keys().any(is_request))
        || ["op", "id", "session"].into_iter().any(is_place)
    {
        OldKind::Capture
    } else {
        OldKind::Logs
    };
    translate_as(text, kind)
}

/// Translates a mapping of the verb that it is given to.
pub fn translate_as(text: &str, kind: OldKind) -> Result<Translated, String> {
    match kind {
        OldKind::Drive => Ok(Translated {
            kind,
            binding: drive_binding(text)?,
            left_out: Vec::new(),
        }),
        OldKind::Capture => capture::translated(&json::object(text)?),
        OldKind::Logs => logs::translated(&json::object(text)?),
    }
}

impl Binding {
    /// Adds what another binding says; where both say something, this one counts, and what the other says is told.
    pub fn merge(&mut self, other: Binding) -> Vec<String> {
        let mut dropped = Vec::new();
        for role in other.roles {
            match self.roles.iter_mut().find(|it| it.name == role.name) {
                None => self.roles.push(role),
                Some(known) => merge_role(known, role, &mut dropped),
            }
        }
        for message in other.messages {
            match self.messages.iter_mut().find(|it| it.name == message.name) {
                None => self.messages.push(message),
                Some(known) if *known == message => {}
                Some(known) => {
                    let name = known.name.clone();
                    let before = known.clone();
                    let is_plain = known.request.is_none() && !known.is_response();
                    if is_plain {
                        known.request = message.request.clone();
                        known.more_requests = message.more_requests.clone();
                        known.response = message.response.clone();
                        known.answers = message.answers.clone();
                        known.status = message.status.clone();
                    } else if !is_same_wire(known, &message) {
                        dropped.push(format!("`{name}` is bound in two ways; the first counts"));
                    }
                    known.from = known.from.take().or(message.from);
                    known.to = known.to.take().or(message.to);
                    known.dir = known.dir.or(message.dir);
                    for pattern in message.names {
                        if !known.names.contains(&pattern) {
                            known.names.push(pattern);
                        }
                    }
                    debug_assert_eq!(before.name, known.name);
                }
            }
        }
        for ignored in other.ignored {
            if self.ignored.iter().all(|it| it.name != ignored.name) {
                self.ignored.push(ignored);
            }
        }
        for (mine, theirs) in [
            (&mut self.session, other.session),
            (&mut self.id, other.id),
            (&mut self.op, other.op),
        ] {
            for place in theirs {
                if !mine.contains(&place) {
                    mine.push(place);
                }
            }
        }
        for rule in other.hide.secret {
            if !self.hide.secret.contains(&rule) {
                self.hide.secret.push(rule);
            }
        }
        self.hide.noise.extend(other.hide.noise);
        self.values.extend(other.values);
        self.logs.extend(other.logs);
        self.others_by_name |= other.others_by_name;
        self.model = self.model.take().or(other.model);
        dropped
    }
}

fn is_same_wire(one: &crate::MessageBinding, other: &crate::MessageBinding) -> bool {
    let is_plain = other.request.is_none() && !other.is_response();
    let same_request = match (&one.request, &other.request) {
        (Some(one), Some(other)) => {
            one.path == other.path && (other.method.is_none() || one.method == other.method)
        }
        (None, None) => true,
        _ => false,
    };
    is_plain
        || same_request
            && other.response.iter().all(|it| one.response.contains(it))
            && (other.status.is_empty() || one.status.is_empty() || one.status == other.status)
}

fn merge_role(known: &mut RoleBinding, role: RoleBinding, dropped: &mut Vec<String>) {
    for (what, mine, theirs) in [
        ("address", &mut known.address, role.address),
        ("listen", &mut known.listen, role.listen),
    ] {
        if let Some(theirs) = theirs {
            match mine {
                None => *mine = Some(theirs),
                Some(mine) if *mine == theirs => {}
                Some(_) => dropped.push(format!(
                    "`{what}` of `{}` is said twice; the first counts",
                    known.name
                )),
            }
        }
    }
    known.names.extend(role.names);
    for header in role.headers {
        if !known.headers.iter().any(|(name, _)| *name == header.0) {
            known.headers.push(header);
        }
    }
}

//! Values that a binding calls secret, as they are sent and received.

use choros_exec::Redaction;
use serde_json::Value as Json;

use crate::Secrets;

/// Which values are secret, and who has to know it.
#[derive(Debug, Clone)]
pub(crate) struct HiddenValues {
    rules: Redaction,
    secrets: Secrets,
}

impl HiddenValues {
    /// By the rules of a binding; none where it has none.
    pub(crate) fn of(rules: &[String], secrets: &Secrets) -> Option<HiddenValues> {
        let rules = Redaction::parse(&rules.join(",")).ok()?;
        (rules != Redaction::default()).then(|| HiddenValues {
            rules,
            secrets: secrets.clone(),
        })
    }

    /// A value under a name: that of the field, or of its place.
    pub(crate) fn value(&self, names: &[&str], value: &str) {
        if names.iter().any(|it| self.rules.covers(it)) {
            self.secrets.note_declared(value);
        }
    }

    /// All values of a body.
    pub(crate) fn body(&self, body: &Json) {
        let mut waiting = vec![(String::new(), body)];
        while let Some((path, value)) = waiting.pop() {
            let below = |label: &str| match path.as_str() {
                "" => label.to_owned(),
                path => format!("{path}.{label}"),
            };
            match value {
                Json::Object(fields) => {
                    waiting.extend(fields.iter().map(|(label, it)| (below(label), it)));
                }
                Json::Array(items) => {
                    let items = items.iter().enumerate();
                    waiting.extend(items.map(|(at, it)| (below(&at.to_string()), it)));
                }
                Json::String(text) => self.value(&[&path], text),
                Json::Number(number) => self.value(&[&path], &number.to_string()),
                Json::Bool(_) | Json::Null => {}
            }
        }
    }
}

//! Values of a log that must not be shown.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use choros_model::observation::Datum;

use crate::hiding::{Pseudonyms, Redaction};

/// Fields whose values become pseudonyms while a log is read, so that nothing that is made of it can show them.
///
/// Equal values have equal pseudonyms within a run, so messages still belong together.
#[derive(Clone)]
pub struct HiddenFields {
    rules: Redaction,
    pseudonyms: Arc<Pseudonyms>,
}

impl HiddenFields {
    /// The fields that rules name, separated by commas; or what is wrong with them.
    pub(super) fn of(text: &str) -> Result<HiddenFields, String> {
        let rules = Redaction::parse(text)
            .map_err(|wrong| format!("no rule of redaction: {}", wrong.join(", ")))?;
        let pseudonyms = Pseudonyms::fresh();
        let pseudonyms =
            pseudonyms.ok_or("the system has no random numbers to hide values with")?;
        Ok(HiddenFields {
            rules,
            pseudonyms: Arc::new(pseudonyms),
        })
    }

    /// What stands at a path, or its pseudonym.
    pub(super) fn word<'t>(&self, path: &str, word: Cow<'t, str>) -> Cow<'t, str> {
        if self.rules.covers(path) {
            Cow::Owned(self.pseudonyms.of(&word))
        } else {
            word
        }
    }

    /// Replaces the values that must not be shown; paths are below `top`.
    pub(super) fn data(&self, top: &str, data: &mut [(Cow<'_, str>, Datum<'_>)]) {
        for (path, value) in data {
            let is_covered = if top.is_empty() {
                self.rules.covers(path)
            } else {
                self.rules.covers(&format!("{top}.{path}"))
            };
            if is_covered {
                *value = Datum::Text(Cow::Owned(self.pseudonyms.of_datum(value)));
            }
        }
    }
}

impl PartialEq for HiddenFields {
    fn eq(&self, other: &HiddenFields) -> bool {
        self.rules == other.rules
    }
}

impl Eq for HiddenFields {}

impl fmt::Debug for HiddenFields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hidden({})", self.rules)
    }
}

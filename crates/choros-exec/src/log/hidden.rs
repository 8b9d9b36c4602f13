//! Values of a log that must not be shown.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use choros_model::observation::{Datum, pseudonym};

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

    /// Whether what is at a path must not be shown.
    pub(super) fn covers(&self, path: &str) -> bool {
        self.rules.covers(path)
    }

    /// The pseudonym of a word; one that is a pseudonym already stays what it is.
    pub(super) fn word<'t>(&self, word: Cow<'t, str>) -> Cow<'t, str> {
        if is_pseudonym(&word) {
            word
        } else {
            Cow::Owned(self.pseudonyms.of(&word))
        }
    }

    /// Replaces a value, unless that has been done.
    pub(super) fn datum(&self, value: &mut Datum<'_>) {
        if !value.text().is_some_and(is_pseudonym) {
            *value = Datum::Text(Cow::Owned(self.pseudonyms.of_datum(value)));
        }
    }

    /// Replaces the values that must not be shown.
    pub(super) fn data(&self, data: &mut [(Cow<'_, str>, Datum<'_>)]) {
        for (path, value) in data {
            if self.rules.covers(path) {
                self.datum(value);
            }
        }
    }
}

/// Whether a text is a pseudonym and nothing else.
fn is_pseudonym(text: &str) -> bool {
    let inside = text.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    inside.is_some_and(|it| !it.contains(['[', ']'])) && pseudonym::is_in(text)
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

//! Whether two keys that correlate messages are the same.
//!
//! Pseudonyms of different captures may stand for one value, and so may a pseudonym and a value that is shown.

use std::borrow::Cow;

use choros_model::observation::{Correlation, Observation, pseudonym};

use crate::code::Truth;

/// By what a message correlates; a value that no one wrote down may be any.
pub(crate) fn key<'o>(
    correlation: &Correlation,
    seen: &'o Observation<'_>,
) -> Option<Cow<'o, str>> {
    let unseen = || {
        let is_data = matches!(correlation, Correlation::Path(_));
        (seen.is_partial && is_data).then_some(Cow::Borrowed(pseudonym::UNSEEN))
    };
    correlation.key(seen).or_else(unseen)
}

/// Whether two keys are the same; what has no key agrees with nothing but what has none either.
pub(crate) fn agree(one: Option<&str>, other: Option<&str>) -> Truth {
    match (one, other) {
        (Some(pseudonym::UNSEEN), Some(_)) | (Some(_), Some(pseudonym::UNSEEN)) => Truth::Redacted,
        _ if one == other => Truth::True,
        (Some(one), Some(other)) if pseudonym::is_in(one) || pseudonym::is_in(other) => {
            match pseudonym::are_equal(one, other) {
                Some(is_equal) => is_equal.into(),
                None => Truth::Redacted,
            }
        }
        _ => Truth::False,
    }
}

/// The kinds of keys that were seen: as long as all are of one, different keys are different values.
#[derive(Debug, Clone, Default)]
pub(crate) enum Captures {
    #[default]
    None,
    /// All are values that are shown.
    Shown,
    /// All are pseudonyms of this capture.
    One(Box<str>),
    Several,
}

impl Captures {
    pub(crate) fn add(&mut self, key: &str) {
        let kind = match (pseudonym::is_in(key), pseudonym::capture(key)) {
            (false, _) => Captures::Shown,
            (true, Some(capture)) => Captures::One(capture.into()),
            (true, None) => Captures::Several,
        };
        *self = match (&*self, &kind) {
            (Captures::None, _) => kind,
            (Captures::Shown, Captures::Shown) => Captures::Shown,
            (Captures::One(known), Captures::One(new)) if known == new => kind,
            _ => Captures::Several,
        };
    }

    /// Whether different keys may be one value.
    pub(crate) fn are_several(&self) -> bool {
        matches!(self, Captures::Several)
    }
}

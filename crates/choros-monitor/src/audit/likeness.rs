//! Whether what was sent and what was received can be one message, by their data.

use choros_model::observation::{Datum, Observation, pseudonym};

/// How the data of two observations compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Likeness {
    /// No value differs, and both tell all.
    Same,
    /// One tells less than the other, or has redacted values: they may be.
    Open,
    /// Some value differs.
    Other,
}

impl Likeness {
    pub(crate) fn of(sent: &Observation<'_>, received: &Observation<'_>) -> Likeness {
        let is_partial = sent.is_partial || received.is_partial;
        let mut likeness = if sent.data.len() == received.data.len() && !is_partial {
            Likeness::Same
        } else {
            Likeness::Open
        };
        for (path, value) in &sent.data {
            let other = received.data.iter().find(|(known, _)| known == path);
            match other.and_then(|(_, other)| are_equal(value, other)) {
                Some(true) => {}
                Some(false) => return Likeness::Other,
                None => likeness = Likeness::Open,
            }
        }
        likeness
    }
}

/// Whether two values are the same, if that can be known.
fn are_equal(one: &Datum<'_>, other: &Datum<'_>) -> Option<bool> {
    match (one.text(), other.text()) {
        (Some(one), Some(other)) if pseudonym::is_in(one) || pseudonym::is_in(other) => {
            pseudonym::are_equal(one, other)
        }
        _ if one.is_redacted() || other.is_redacted() => None,
        _ => Some(one.agrees(other)),
    }
}

//! Names that stand for values which must not be written.

use std::fmt::Write;

use choros_model::observation::Datum;
use ring::hmac;
use ring::rand::{SecureRandom, SystemRandom};

/// Gives every secret a pseudonym: the same one for the same value, and no way back.
///
/// A plain digest would not do: passwords and card numbers are few enough to be tried one after the other.
/// So the digest is keyed (HMAC with SHA-256), and the key is drawn when the capture starts, kept in memory alone and
/// forgotten with it.
///
/// Each pseudonym names the capture beside the value, so that equal values of two captures, which have different
/// pseudonyms, are not taken for different ones ([`choros_model::observation::pseudonym`]).
pub(crate) struct Pseudonyms {
    key: hmac::Key,
    /// What all pseudonyms of this key begin with.
    capture: String,
}

/// 64 bits: among a million values, two with one pseudonym are met once in thirty million captures.
const BYTES: usize = 8;

/// Two captures with one name are met once in four thousand million.
const CAPTURE_BYTES: usize = 4;

impl Pseudonyms {
    /// A fresh key; none if the system has no random numbers.
    pub(crate) fn fresh() -> Option<Self> {
        let random = SystemRandom::new();
        let key = hmac::Key::generate(hmac::HMAC_SHA256, &random).ok()?;
        let mut name = [0; CAPTURE_BYTES];
        random.fill(&mut name).ok()?;
        let capture = hex(&name);
        Some(Self { key, capture })
    }

    /// What stands in place of a value: `[redacted 1c7e52d0:5f0c9a1b22d3e4f6]`.
    pub(crate) fn of(&self, value: &str) -> String {
        let tag = hmac::sign(&self.key, value.as_bytes());
        format!(
            "[redacted {}:{}]",
            self.capture,
            hex(&tag.as_ref()[..BYTES])
        )
    }

    /// What stands in place of a value of a log: `3` and `3.0` are one number.
    pub(crate) fn of_datum(&self, value: &Datum<'_>) -> String {
        // `007` is a name more often than a number.
        let is_padded = |text: &str| {
            let digits = text.trim_start_matches('-').as_bytes();
            matches!(digits, [b'0', next, ..] if next.is_ascii_digit())
        };
        match value {
            Datum::Untyped(text) if !is_padded(text.trim()) => match value.number() {
                Some(number) => self.of(&number.to_string()),
                None => self.of(text),
            },
            other => self.of(&other.key()),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        let _ = write!(out, "{byte:02x}");
    }
    out
}

#[cfg(test)]
mod tests {
    use choros_model::observation::{Datum, pseudonym};

    use super::Pseudonyms;

    #[test]
    fn equal_values_have_equal_pseudonyms_within_one_capture_alone() {
        let (one, other) = (Pseudonyms::fresh().unwrap(), Pseudonyms::fresh().unwrap());
        assert_eq!(one.of("hunter2"), one.of("hunter2"));
        assert_ne!(one.of("hunter2"), one.of("hunter3"));
        assert_ne!(one.of("hunter2"), other.of("hunter2"));
    }

    #[test]
    fn what_is_made_here_is_what_audits_look_for() {
        let (one, other) = (Pseudonyms::fresh().unwrap(), Pseudonyms::fresh().unwrap());
        assert!(pseudonym::is_in(&one.of("")));
        assert_eq!(
            pseudonym::are_equal(&one.of("a"), &one.of("b")),
            Some(false)
        );
        assert_eq!(pseudonym::are_equal(&one.of("a"), &other.of("a")), None);
    }

    #[test]
    fn a_number_is_one_value_however_it_is_written() {
        let own = Pseudonyms::fresh().unwrap();
        let untyped = |text: &'static str| own.of_datum(&Datum::Untyped(text.into()));
        assert_eq!(untyped("3.0"), own.of_datum(&Datum::from(3)));
        assert_ne!(untyped("007"), untyped("7"));
        assert_ne!(untyped("a"), untyped("b"));
    }
}

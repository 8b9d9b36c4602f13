//! Names that stand for values which must not be written.

use std::fmt::Write;

use ring::hmac;
use ring::rand::SystemRandom;

/// Gives every secret a pseudonym: the same one for the same value, and no way back.
///
/// A plain digest would not do: passwords and card numbers are few enough to be tried one after the other.
/// So the digest is keyed (HMAC with SHA-256), and the key is drawn when the capture starts, kept in memory alone and
/// forgotten with it.
pub(crate) struct Pseudonyms {
    key: hmac::Key,
}

/// 64 bits: among a million values, two with one pseudonym are met once in thirty million captures.
const BYTES: usize = 8;

impl Pseudonyms {
    /// A fresh key; none if the system has no random numbers.
    pub(crate) fn fresh() -> Option<Self> {
        let key = hmac::Key::generate(hmac::HMAC_SHA256, &SystemRandom::new()).ok()?;
        Some(Self { key })
    }

    /// What stands in place of a value: `[redacted 5f0c9a1b22d3e4f6]`.
    pub(crate) fn of(&self, value: &str) -> String {
        let tag = hmac::sign(&self.key, value.as_bytes());
        let mut out = String::from("[redacted ");
        for byte in &tag.as_ref()[..BYTES] {
            let _ = write!(out, "{byte:02x}");
        }
        out.push(']');
        out
    }
}

#[cfg(test)]
mod tests {
    use super::Pseudonyms;

    #[test]
    fn equal_values_have_equal_pseudonyms_within_one_capture_alone() {
        let (one, other) = (Pseudonyms::fresh().unwrap(), Pseudonyms::fresh().unwrap());
        assert_eq!(one.of("hunter2"), one.of("hunter2"));
        assert_ne!(one.of("hunter2"), one.of("hunter3"));
        assert_ne!(one.of("hunter2"), other.of("hunter2"));
        assert_eq!(one.of("").len(), "[redacted 0123456789abcdef]".len());
    }
}

//! Verdicts and what they are called.

use std::fmt;

/// What a verdict is called: the same, whoever gives it and however often.
///
/// One entry may decide several windows, and open windows of several properties; so what opened the window is part of
/// the name, and what decided it is not.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VerdictId {
    /// Which stream it is: another one for each time that a stream with this name was made.
    pub incarnation: String,
    /// The version of the properties.
    pub version: u32,
    pub property: String,
    /// What correlates the window; empty where nothing does.
    pub session: String,
    /// The service whose log it is about.
    pub service: String,
    /// The line of the observation that opened the window, in the log of the service.
    pub opened: u64,
}

impl fmt::Display for VerdictId {
    /// One line without spaces, as brokers want identities to be; lengths keep parts from running into each other.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            &self.incarnation,
            &self.property,
            &self.session,
            &self.service,
        ];
        write!(f, "{}.{}", self.version, self.opened)?;
        for part in parts {
            write!(f, ".{}:", part.len())?;
            for byte in part.bytes() {
                match byte {
                    b'!'..=b'~' if byte != b'%' => write!(f, "{}", byte as char)?,
                    other => write!(f, "%{other:02x}")?,
                }
            }
        }
        Ok(())
    }
}

impl VerdictId {
    /// The name that was written so.
    pub fn read(text: &str) -> Option<VerdictId> {
        let (version, rest) = text.split_once('.')?;
        let (opened, mut rest) = rest.split_once('.')?;
        let mut part = || {
            let (length, text) = rest.split_once(':')?;
            let (part, after) = unescaped(text, length.parse().ok()?)?;
            rest = after.strip_prefix('.').unwrap_or(after);
            Some(part)
        };
        let [incarnation, property, session, service] = [part()?, part()?, part()?, part()?];
        rest.is_empty().then_some(VerdictId {
            incarnation,
            version: version.parse().ok()?,
            property,
            session,
            service,
            opened: opened.parse().ok()?,
        })
    }
}

/// So many bytes, unescaped, and what follows them.
fn unescaped(text: &str, length: usize) -> Option<(String, &str)> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while bytes.len() < length {
        let (byte, taken) = match rest.strip_prefix('%') {
            Some(digits) => (u8::from_str_radix(digits.get(..2)?, 16).ok()?, 3),
            None => (rest.bytes().next()?, 1),
        };
        bytes.push(byte);
        rest = rest.get(taken..)?;
    }
    Some((String::from_utf8(bytes).ok()?, rest))
}

/// A verdict with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told<V> {
    pub id: VerdictId,
    pub verdict: V,
}

#[cfg(test)]
mod tests {
    use super::VerdictId;
    use choros_testkit::{Random, seed_from_env};

    #[test]
    fn names_are_read_as_they_are_written() {
        let mut random = Random::new(seed_from_env());
        for _ in 0..2_000 {
            let mut word = || {
                let letters = ["a", ".", "%", ":", " ", "\u{e9}", "3", "\n"];
                let count = random.below(5);
                (0..count)
                    .map(|_| *random.pick(&letters))
                    .collect::<String>()
            };
            let id = VerdictId {
                incarnation: word(),
                version: 7,
                property: word(),
                session: word(),
                service: word(),
                opened: 19,
            };
            let text = id.to_string();
            assert!(!text.contains([' ', '\n']), "{text}");
            assert_eq!(VerdictId::read(&text), Some(id), "{text}");
            // A name that was cut is none.
            assert_eq!(VerdictId::read(&text[..text.len() / 2]), None, "{text}");
        }
        assert_eq!(VerdictId::read("no name"), None);
    }
}

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
    /// The entry that opened the window.
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
                    b'!'..=b'~' => write!(f, "{}", byte as char)?,
                    other => write!(f, "%{other:02x}")?,
                }
            }
        }
        Ok(())
    }
}

/// A verdict with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told<V> {
    pub id: VerdictId,
    pub verdict: V,
}

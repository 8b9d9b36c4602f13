//! What is wrong with one record of a log.

use std::fmt;

use choros_base::{CodeInfo, Diagnostic};

use crate::diagnostics::{
    absurd_time, malformed_observation, missing_field, other_service, too_long_a_record, wrong_type,
};

/// A record that is not an observation, or a strange one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The line it begins in, from 1.
    pub line: u64,
    /// What is wrong.
    pub flaw: Flaw,
}

/// What is wrong with a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flaw {
    /// It is not in UTF-8.
    Encoding,
    /// It does not have the form of its format; in words, where in the record it happened.
    Malformed {
        /// What is wrong.
        what: String,
        /// The byte of the record.
        offset: usize,
    },
    /// It is longer than records may be.
    TooLong {
        /// The longest that is read, in bytes.
        limit: usize,
    },
    /// Something that every observation has is missing.
    Missing(&'static str),
    /// Something is of another kind than it must be.
    WrongType {
        /// What: `op`, `at`.
        field: &'static str,
        /// What it is instead.
        found: String,
    },
    /// Its time is absurd among those around it.
    Outlier {
        /// The time.
        at: String,
        /// No record follows that could say whether the clock was right.
        is_last: bool,
    },
    /// It says that it belongs to another service's log; it is read all the same.
    OtherService {
        /// Whose log this is.
        expected: String,
        /// What it says.
        found: String,
    },
}

impl Flaw {
    /// The code under which it is reported.
    pub fn code(&self) -> &'static CodeInfo {
        match self {
            Flaw::Encoding | Flaw::Malformed { .. } => &malformed_observation::CODE,
            Flaw::TooLong { .. } => &too_long_a_record::CODE,
            Flaw::Missing(_) => &missing_field::CODE,
            Flaw::WrongType { .. } => &wrong_type::CODE,
            Flaw::OtherService { .. } => &other_service::CODE,
            Flaw::Outlier { .. } => &absurd_time::CODE,
        }
    }
}

impl Problem {
    /// The finding about a log.
    pub fn diagnostic(&self, log: &str) -> Diagnostic {
        let message = format!("`{log}` line {}: {}", self.line, self.flaw);
        Diagnostic::without_place(self.flaw.code(), message)
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Encoding => write!(f, "it is not UTF-8 text"),
            Flaw::Malformed { what, offset } => write!(f, "{what} at byte {offset}"),
            Flaw::TooLong { limit } => {
                write!(f, "it is longer than {limit} bytes and was skipped")
            }
            Flaw::Missing(field) => write!(f, "it has no `{field}`"),
            Flaw::WrongType { field, found } => write!(f, "`{field}` is {found}"),
            Flaw::Outlier { at, is_last: true } => write!(
                f,
                "its time, {at}, is more than a year from the one before, and nothing follows: it is left out"
            ),
            Flaw::Outlier { at, is_last: false } => write!(
                f,
                "its time, {at}, is more than a year from those around it: it counts as seen with the record before"
            ),
            Flaw::OtherService { expected, found } => {
                write!(f, "it was seen by `{found}` in the log of `{expected}`")
            }
        }
    }
}

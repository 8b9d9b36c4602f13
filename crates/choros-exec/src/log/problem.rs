//! What is wrong with one record of a log.

use std::fmt;

use choros_base::{CodeInfo, Diagnostic};

use crate::diagnostics::{
    absurd_time, malformed_observation, missing_field, other_service, too_long_a_record, wrong_type,
};

/// A record that is not an observation, or a strange one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordProblem {
    /// The line it begins in, from 1.
    pub line: u64,
    /// What is wrong.
    pub flaw: RecordFlaw,
}

/// What is wrong with a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordFlaw {
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

impl RecordFlaw {
    /// The code under which it is reported.
    pub fn code(&self) -> &'static CodeInfo {
        match self {
            RecordFlaw::Encoding | RecordFlaw::Malformed { .. } => &malformed_observation::CODE,
            RecordFlaw::TooLong { .. } => &too_long_a_record::CODE,
            RecordFlaw::Missing(_) => &missing_field::CODE,
            RecordFlaw::WrongType { .. } => &wrong_type::CODE,
            RecordFlaw::OtherService { .. } => &other_service::CODE,
            RecordFlaw::Outlier { .. } => &absurd_time::CODE,
        }
    }
}

impl RecordProblem {
    /// The finding about a log.
    pub fn diagnostic(&self, log: &str) -> Diagnostic {
        let message = format!("`{log}` line {}: {}", self.line, self.flaw);
        Diagnostic::without_place(self.flaw.code(), message)
    }
}

impl fmt::Display for RecordFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordFlaw::Encoding => write!(f, "it is not UTF-8 text"),
            RecordFlaw::Malformed { what, offset } => write!(f, "{what} at byte {offset}"),
            RecordFlaw::TooLong { limit } => {
                write!(f, "it is longer than {limit} bytes and was skipped")
            }
            RecordFlaw::Missing(field) => write!(f, "it has no `{field}`"),
            RecordFlaw::WrongType { field, found } => write!(f, "`{field}` is {found}"),
            RecordFlaw::Outlier { at, is_last: true } => write!(
                f,
                "its time, {at}, is more than a year from the one before, and nothing follows: it is left out"
            ),
            RecordFlaw::Outlier { at, is_last: false } => write!(
                f,
                "its time, {at}, is more than a year from those around it: it counts as seen with the record before"
            ),
            RecordFlaw::OtherService { expected, found } => {
                write!(f, "it was seen by `{found}` in the log of `{expected}`")
            }
        }
    }
}

//! What a monitor says.

use std::fmt;
use std::sync::Arc;

use choros_base::CodeInfo;
use choros_model::observation::{Number, Observation};
use choros_model::{Judgeable, Judging};

use crate::diagnostics::{duplicate_id, late_observation, no_time, uncorrelated, wrong_kind};
use crate::kind::ValueKind;

/// The verdict of one window, or of a property as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// As the property says.
    Pass,
    /// Against the property.
    Fail,
    /// The log ended first.
    Inconclusive,
}

impl Outcome {
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Pass => "pass",
            Outcome::Fail => "fail",
            Outcome::Inconclusive => "inconclusive",
        }
    }

    /// The outcome with this word, in any case of letters.
    pub fn named(word: &str) -> Option<Outcome> {
        [Outcome::Pass, Outcome::Fail, Outcome::Inconclusive]
            .into_iter()
            .find(|outcome| outcome.word().eq_ignore_ascii_case(word))
    }
}

/// A place in a log.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mark {
    /// Its line; 0 where it came from no log.
    pub line: u64,
    /// Its time.
    pub at: Option<Number>,
}

/// One verdict, known as soon as it could be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WindowVerdict {
    /// Its number among the verdicts of this monitor, from 1, the same however often the run is repeated.
    pub sequence: u64,
    /// The position of the property.
    pub property: usize,
    /// The service whose log it is about.
    pub service: Arc<str>,
    /// What it is.
    pub outcome: Outcome,
    /// The message that validated the first candidate event.
    pub opened: Mark,
    /// The message that decided it; where the log ended, the last one.
    pub decided: Mark,
    /// The session or key that correlates the window, where there is one.
    pub key: Option<Arc<str>>,
    /// The observations of the window, as far as they were kept; verdicts on one window share them.
    pub window: Arc<[Observation<'static>]>,
}

/// Something strange about an observation that was judged all the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// The service whose log it is in.
    pub service: String,
    pub line: u64,
    /// What.
    pub kind: RemarkKind,
}

/// What is strange about an observation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RemarkKind {
    /// Its time lies before that of an observation that was judged already.
    Late {
        /// By how many milliseconds.
        by: Number,
    },
    /// Another message of this log has the same identity.
    DuplicateId(String),
    /// A property with a window in time needs its time, and it has none.
    NoTime,
    /// A value has a kind that a condition cannot use.
    WrongKind {
        /// The position of the property.
        property: usize,
        /// Which value.
        part: String,
        /// What it should be.
        kind: ValueKind,
    },
    /// It would open a window, but lacks what correlates it.
    Uncorrelated {
        /// The position of the property.
        property: usize,
    },
}

impl RemarkKind {
    /// The code under which it is reported.
    pub fn code(&self) -> &'static CodeInfo {
        match self {
            RemarkKind::Late { .. } => &late_observation::CODE,
            RemarkKind::DuplicateId(_) => &duplicate_id::CODE,
            RemarkKind::NoTime => &no_time::CODE,
            RemarkKind::WrongKind { .. } => &wrong_kind::CODE,
            RemarkKind::Uncorrelated { .. } => &uncorrelated::CODE,
        }
    }
}

impl fmt::Display for RemarkKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RemarkKind::Late { by } => write!(f, "it comes {by} ms too late"),
            RemarkKind::DuplicateId(id) => write!(f, "another message has the identity `{id}`"),
            RemarkKind::NoTime => write!(f, "it has no time"),
            RemarkKind::WrongKind { part, kind, .. } => {
                write!(f, "`{part}` is not {}", kind.words())
            }
            RemarkKind::Uncorrelated { .. } => write!(f, "its correlation value is missing"),
        }
    }
}

/// What is known of a property so far.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PropertyCounts {
    /// Windows that passed.
    pub pass: Judging,
    /// Windows that failed.
    pub fail: u64,
    /// Windows that the end of the log, or a bound, cut, and those of `redacted`.
    pub inconclusive: u64,
    /// Windows that redacted values would decide.
    pub redacted: u64,
}

impl PropertyCounts {
    /// Fail if any window fails, else Inconclusive if redacted values would decide one, else Pass if one passes.
    pub fn outcome(&self) -> Outcome {
        match (self.fail, self.redacted, self.pass.total()) {
            (1.., _, _) => Outcome::Fail,
            (0, 0, 1..) => Outcome::Pass,
            _ => Outcome::Inconclusive,
        }
    }

    /// PropertyCounts one more window, and says how many there are of its kind.
    pub fn add(&mut self, window: &impl Judgeable, outcome: Outcome) -> u64 {
        let count = match outcome {
            Outcome::Pass => {
                self.pass.count(window);
                return self.pass.total();
            }
            Outcome::Fail => &mut self.fail,
            Outcome::Inconclusive => &mut self.inconclusive,
        };
        *count += 1;
        *count
    }
}

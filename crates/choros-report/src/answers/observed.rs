//! Verdicts on what happened: in logs, in streams, in conversations, in runs of tests.
//!
//! The answer *holds* to such a question is worth as much as was judged, and nothing if nothing was.
//! So it cannot be made without the count: [`Observed::Holds`] demands a [`Judged`], which is never nothing.

use std::num::NonZeroU64;

use choros_model::Evidence;

use crate::{Answer, Sizes, Stat, Stats, Word};

/// How much was judged: windows, messages, runs; at least one.
///
/// Nobody can say that nothing is something:
///
/// ```compile_fail
/// let judged = choros_report::answers::Judged(0.try_into().unwrap());
/// ```
///
/// nor leave the count out of a yes:
///
/// ```compile_fail
/// let yes = choros_report::answers::Observed::Holds { evidence: None };
/// ```
///
/// ```
/// use choros_report::answers::{Judged, Observed};
///
/// assert!(Judged::of(0).is_none());
/// if let Some(judged) = Judged::of(3) {
///     let yes = Observed::Holds { judged, evidence: None };
///     assert!(matches!(yes, Observed::Holds { .. }));
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Judged(NonZeroU64);

impl Judged {
    /// So much was judged; nothing where nothing was.
    pub fn of(count: u64) -> Option<Judged> {
        NonZeroU64::new(count).map(Judged)
    }

    /// How much.
    pub fn count(self) -> u64 {
        self.0.get()
    }
}

/// A verdict on what happened.
#[derive(Debug, Clone)]
pub enum Observed {
    /// What was judged is as it should be.
    Holds {
        /// How much that is.
        judged: Judged,
        /// One of the things judged.
        evidence: Option<Evidence>,
    },
    /// Something is not as it should be.
    Fails {
        /// What.
        evidence: Option<Evidence>,
    },
    /// Nobody can say.
    Unknown {
        /// Why.
        reason: String,
        /// What was seen nevertheless.
        evidence: Option<Evidence>,
    },
}

impl Observed {
    /// Yes, if `count` is not nothing; otherwise nobody can say, for this reason.
    pub fn holds(count: u64, evidence: Option<Evidence>, nothing: &str) -> Observed {
        match Judged::of(count) {
            Some(judged) => Observed::Holds { judged, evidence },
            None => Observed::Unknown {
                reason: nothing.to_owned(),
                evidence,
            },
        }
    }
}

impl Observed {
    /// As the verdict of one test: how many passed, failed and were inconclusive.
    pub(crate) fn sizes(&self) -> Sizes {
        let stat = match self {
            Observed::Holds { .. } => Stat::Pass,
            Observed::Fails { .. } => Stat::Fail,
            Observed::Unknown { .. } => Stat::Inconclusive,
        };
        Sizes {
            stats: Stats::default().with(stat, 1),
            complete: true,
        }
    }
}

impl From<Observed> for Answer {
    fn from(observed: Observed) -> Answer {
        let (word, reason, evidence) = match observed {
            Observed::Holds { evidence, .. } => (Word::Holds, None, evidence),
            Observed::Fails { evidence } => (Word::Fails, None, evidence),
            Observed::Unknown { reason, evidence } => (Word::Unknown, Some(reason), evidence),
        };
        Answer {
            word,
            condition: None,
            reason,
            evidence,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Judged, Observed};
    use crate::{Answer, Word};

    #[test]
    fn nothing_judged_is_not_a_yes() {
        assert_eq!(Judged::of(0), None);
        let answer = Answer::from(Observed::holds(0, None, "nothing was seen"));
        assert_eq!(answer.word, Word::Unknown);
        assert_eq!(answer.reason.as_deref(), Some("nothing was seen"));
        assert_eq!(Answer::from(Observed::holds(1, None, "")).word, Word::Holds);
    }
}

//! The form of every answer.

use choros_data::Term;

use crate::{Bound, Evidence};

/// An answer to a yes/no question, with what convinces a sceptic.
#[derive(Debug, Clone)]
pub enum Verdict {
    /// Yes.
    Holds(Evidence),
    /// Yes, exactly under this condition over the parameters.
    HoldsIf(Term, Evidence),
    /// No.
    Fails(Evidence),
    /// The question was not settled.
    Unknown(Unknown),
}

/// Why a question was not settled, and what would help.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    /// What stopped the search.
    pub reason: String,
    /// Whether raising a bound would help.
    pub help: Help,
    /// What was found until then.
    pub evidence: Option<Evidence>,
}

/// Whether raising a bound would settle a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Help {
    /// This one was met, and raising it may.
    Raise(Bound),
    /// None would, and the reason says so.
    NoBound,
    /// It is not a matter of bounds, and the reason says what is missing.
    Other,
}

impl From<Option<Bound>> for Help {
    fn from(bound: Option<Bound>) -> Help {
        bound.map_or(Help::Other, Help::Raise)
    }
}

/// How a reason ends where no bound is to be raised.
const NO_BOUND_HELPS: &str = "; raising a bound does not help";

impl Unknown {
    /// Not settled, and a higher bound would not change that; the reason says so.
    pub fn whatever_the_bound(reason: impl Into<String>) -> Unknown {
        Unknown {
            reason: reason.into() + NO_BOUND_HELPS,
            help: Help::NoBound,
            evidence: None,
        }
    }

    /// The bound to raise, if there is one.
    pub fn bound(&self) -> Option<Bound> {
        match self.help {
            Help::Raise(bound) => Some(bound),
            Help::NoBound | Help::Other => None,
        }
    }
}

impl Verdict {
    /// The word for it in reports.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Holds(_) => "holds",
            Verdict::HoldsIf(..) => "conditional",
            Verdict::Fails(_) => "fails",
            Verdict::Unknown(_) => "unknown",
        }
    }

    /// What it rests on.
    pub fn evidence(&self) -> Option<&Evidence> {
        match self {
            Verdict::Holds(evidence) | Verdict::HoldsIf(_, evidence) | Verdict::Fails(evidence) => {
                Some(evidence)
            }
            Verdict::Unknown(unknown) => unknown.evidence.as_ref(),
        }
    }
}

//! Verdicts on what happened: in logs, in streams, in conversations, in runs of tests.

use choros_data::Term;

use crate::{Evidence, Help, Judged, Judging, Unknown};

/// A verdict on what happened: a [`Verdict`](crate::Verdict) whose *yes* says how much was judged.
///
/// A *yes* without the count cannot be written down:
///
/// ```compile_fail
/// let yes = choros_model::Observed::Holds { evidence: None };
/// ```
///
/// and where nothing was judged there is no count:
///
/// ```
/// use choros_model::{Judging, Observed};
///
/// let nothing = Observed::holds(Judging::default(), None, "nothing was seen");
/// assert!(matches!(nothing, Observed::Unknown(_)));
/// ```
#[derive(Debug, Clone)]
pub enum Observed {
    /// What was judged is as it should be.
    Holds {
        /// How much that is.
        judged: Judged,
        /// One of the things judged.
        evidence: Option<Evidence>,
    },
    /// What was judged is as it should be, exactly under a condition over the parameters.
    HoldsIf {
        /// How much that is.
        judged: Judged,
        condition: Term,
        /// One of the things judged.
        evidence: Option<Evidence>,
    },
    /// Nothing was there to judge, and the user asked that this counts as a *yes*.
    Empty {
        /// What was expected.
        evidence: Option<Evidence>,
    },
    /// Something is not as it should be.
    Fails {
        /// What.
        evidence: Option<Evidence>,
    },
    /// The question is open.
    Unknown(Unknown),
}

impl Observed {
    /// *Yes*, if anything was judged; otherwise the question is open, for this reason.
    pub fn holds(judging: Judging, evidence: Option<Evidence>, nothing: &str) -> Observed {
        match judging.judged() {
            Some(judged) => Observed::Holds { judged, evidence },
            None => Observed::unknown(nothing, evidence),
        }
    }

    /// The question is open, and no bound would help.
    pub fn unknown(reason: impl Into<String>, evidence: Option<Evidence>) -> Observed {
        Observed::Unknown(Unknown {
            reason: reason.into(),
            help: Help::Other,
            evidence,
        })
    }

    /// The word for it in reports.
    pub fn word(&self) -> &'static str {
        match self {
            Observed::Holds { .. } | Observed::Empty { .. } => "holds",
            Observed::HoldsIf { .. } => "conditional",
            Observed::Fails { .. } => "fails",
            Observed::Unknown(_) => "unknown",
        }
    }

    /// What it rests on.
    pub fn evidence(&self) -> Option<&Evidence> {
        match self {
            Observed::Holds { evidence, .. }
            | Observed::HoldsIf { evidence, .. }
            | Observed::Empty { evidence }
            | Observed::Fails { evidence } => evidence.as_ref(),
            Observed::Unknown(unknown) => unknown.evidence.as_ref(),
        }
    }

    /// How much a *yes* rests on; none for other verdicts, and where an empty log was to count.
    pub fn judged(&self) -> Option<Judged> {
        match self {
            Observed::Holds { judged, .. } | Observed::HoldsIf { judged, .. } => Some(*judged),
            Observed::Empty { .. } | Observed::Fails { .. } | Observed::Unknown(_) => None,
        }
    }
}

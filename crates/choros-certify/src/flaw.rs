//! Why a certificate does not show its claim.

use choros_base::StopReason;
use choros_model::evidence::Tree;
use choros_model::{Bound, Evidence, Unknown, Verdict};

/// Why a certificate does not show its claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flaw {
    /// Something is not as it should be.
    Wrong(String),
    /// That could not be told.
    Open(Undecided),
}

/// Why a check came to no end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undecided {
    /// In words.
    pub text: String,
    /// The bound that helps, if one does.
    pub bound: Option<Bound>,
}

impl Flaw {
    pub(crate) fn wrong(text: impl Into<String>) -> Flaw {
        Flaw::Wrong(text.into())
    }

    pub(crate) fn open(text: impl Into<String>, bound: Option<Bound>) -> Flaw {
        Flaw::Open(Undecided {
            text: text.into(),
            bound,
        })
    }

    pub(crate) fn spent(spent: StopReason) -> Flaw {
        Flaw::open(spent.to_string(), bound_of(spent))
    }
}

/// The bound that helps, unless someone stopped the run.
pub fn bound_of(spent: StopReason) -> Option<Bound> {
    matches!(spent, StopReason::Steps(_)).then_some(Bound::States(None))
}

/// The verdict on a certificate: whether it shows its claim.
pub fn verdict(checked: Result<(), Flaw>, confirmed: &str) -> Verdict {
    let tree = |claim: String| {
        Evidence::Tree(Tree {
            claim,
            origin: None,
            evidence: None,
            because: Vec::new(),
        })
    };
    match checked {
        Ok(()) => Verdict::Holds(tree(confirmed.to_owned())),
        Err(Flaw::Wrong(reason)) => Verdict::Fails(tree(reason)),
        Err(Flaw::Open(why)) => Verdict::Unknown(Unknown {
            reason: why.text,
            help: why.bound.into(),
            evidence: None,
        }),
    }
}

//! What a solver may answer.

use choros_data::Term;

/// Whether some values make all asserted formulas true.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Satisfiability {
    /// Some do; [`crate::Solver::model`] has them, and our own evaluator has agreed.
    Sat,
    /// None do.
    Unsat,
    /// The solver could not tell, or could not be believed.
    Unknown(Reason),
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// The bound in the solver's own units was reached.
    Resources(u64),
    /// The bound in milliseconds was reached.
    Milliseconds(u64),
    /// Someone asked to stop.
    Cancelled,
    /// The solver gave up; the text is what it said.
    GaveUp(String),
    /// The question cannot be put to this solver.
    Inexpressible(String),
    /// The solver has a solution that is none of our values (an irrational number, half a surrogate pair).
    NoSuchValue(String),
    /// The solver's solution does not satisfy what was asked: the solver, or our translation, is wrong.
    Defect(String),
    /// A recording has no such query.
    NotRecorded,
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reason::Resources(bound) => {
                write!(
                    f,
                    "the solver's bound of {bound} resource units was reached"
                )
            }
            Reason::Milliseconds(bound) => {
                write!(f, "the solver's bound of {bound} milliseconds was reached")
            }
            Reason::Cancelled => write!(f, "the run was stopped"),
            Reason::GaveUp(text) => write!(f, "the solver gave up: {text}"),
            Reason::Inexpressible(text) => {
                write!(f, "the formula cannot be put to the solver: {text}")
            }
            Reason::NoSuchValue(text) => {
                write!(f, "the solver's solution is none of our values: {text}")
            }
            Reason::Defect(text) => write!(f, "the solver cannot be believed here: {text}"),
            Reason::NotRecorded => write!(f, "the recording does not hold this query"),
        }
    }
}

impl Reason {
    /// The bound to raise, when one was reached.
    pub fn bound(&self) -> Option<u64> {
        match self {
            Reason::Resources(bound) | Reason::Milliseconds(bound) => Some(*bound),
            _ => None,
        }
    }
}

/// What became of the quantifiers of a formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Elimination {
    /// A formula without quantifiers that the solver proved equivalent to the input.
    Free(Term),
    /// No such formula was found or proved; this one is equivalent to the input but still has quantifiers.
    Quantified(Term),
}

impl Elimination {
    /// The formula, with or without quantifiers.
    pub fn term(self) -> Term {
        match self {
            Elimination::Free(term) | Elimination::Quantified(term) => term,
        }
    }

    /// Whether no quantifier is left.
    pub fn is_free(self) -> bool {
        matches!(self, Elimination::Free(_))
    }
}

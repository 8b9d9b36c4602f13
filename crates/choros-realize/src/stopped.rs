//! Why an analysis ended without an answer.

use choros_base::{Diagnostic, Spent};
use choros_conform::NotCompared;
use choros_smt::SolverError;

/// Why an analysis ended without an answer.
#[derive(Debug)]
pub enum Stopped {
    /// The solver failed.
    Solver(SolverError),
    /// The budget is used up, or someone asked to stop.
    Spent(Spent),
    /// The question cannot be asked about these graphs.
    Unfit(Box<Diagnostic>),
}

impl From<SolverError> for Stopped {
    fn from(error: SolverError) -> Self {
        Stopped::Solver(error)
    }
}

impl From<Spent> for Stopped {
    fn from(spent: Spent) -> Self {
        Stopped::Spent(spent)
    }
}

impl From<NotCompared> for Stopped {
    fn from(reason: NotCompared) -> Self {
        match reason {
            NotCompared::Unfit(found) => Stopped::Unfit(found),
            NotCompared::Solver(error) => Stopped::Solver(error),
        }
    }
}

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Stopped::Solver(error) => write!(f, "{error}"),
            Stopped::Spent(spent) => write!(f, "{spent}"),
            Stopped::Unfit(found) => write!(f, "{}", found.message),
        }
    }
}

//! Why an analysis ended without an answer.

use choros_base::{Diagnostic, StopReason};
use choros_conform::NotCompared;
use choros_smt::SolverError;

/// Why an analysis ended without an answer.
#[derive(Debug)]
pub enum AnalysisStop {
    /// The solver failed.
    Solver(SolverError),
    /// The budget is used up, or someone asked to stop.
    Spent(StopReason),
    /// The question cannot be asked about these graphs.
    Unfit(Box<Diagnostic>),
}

impl From<SolverError> for AnalysisStop {
    fn from(error: SolverError) -> Self {
        AnalysisStop::Solver(error)
    }
}

impl From<StopReason> for AnalysisStop {
    fn from(spent: StopReason) -> Self {
        AnalysisStop::Spent(spent)
    }
}

impl From<NotCompared> for AnalysisStop {
    fn from(reason: NotCompared) -> Self {
        match reason {
            NotCompared::Unfit(found) => AnalysisStop::Unfit(found),
            NotCompared::Solver(error) => AnalysisStop::Solver(error),
        }
    }
}

impl std::fmt::Display for AnalysisStop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            AnalysisStop::Solver(error) => write!(f, "{error}"),
            AnalysisStop::Spent(spent) => write!(f, "{spent}"),
            AnalysisStop::Unfit(found) => write!(f, "{}", found.message),
        }
    }
}

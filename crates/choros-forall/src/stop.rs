//! Why there is no answer.

use choros_base::StopReason;
use choros_model::Bound;
use choros_smt::SolverError;

/// What ends the work early.
#[derive(Debug)]
pub enum Stop {
    /// The question has something in it that this engine does not know.
    Unsupported(String),
    /// The budget is spent.
    Spent(StopReason),
    /// The question took all the work that it may, in the solver's resource units.
    Work { allowed: u64, bound: Bound },
    /// The solver broke.
    Solver(SolverError),
}

impl From<SolverError> for Stop {
    fn from(error: SolverError) -> Stop {
        Stop::Solver(error)
    }
}

impl From<StopReason> for Stop {
    fn from(reason: StopReason) -> Stop {
        Stop::Spent(reason)
    }
}

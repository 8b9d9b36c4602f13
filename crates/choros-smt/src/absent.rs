//! No solver at all.

use choros_data::{Assignment, Term, Terms};

use crate::{Answer, Elimination, Limits, Solver, SolverError};

/// Answers every question with the advice how to get a solver.
///
/// For callers whose questions are all settled before a solver is asked: should one get through, the user learns what
/// is missing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoSolver;

impl Solver for NoSolver {
    fn name(&self) -> String {
        "none".to_owned()
    }

    fn set_limits(&mut self, _: Limits) {}

    fn push(&mut self) {}

    fn pop(&mut self) {}

    fn assert(&mut self, _: Term) {}

    fn check_assuming(&mut self, _: &mut Terms, _: &[Term]) -> Result<Answer, SolverError> {
        Err(SolverError::NotFound)
    }

    fn solution(&self) -> Option<&Assignment> {
        None
    }

    fn unsat_core(&self) -> Option<&[usize]> {
        None
    }

    fn eliminate(&mut self, _: &mut Terms, _: Term) -> Result<Elimination, SolverError> {
        Err(SolverError::NotFound)
    }
}

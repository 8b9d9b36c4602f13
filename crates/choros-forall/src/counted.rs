//! A solver that counts what it is asked, so that searches can end after as many questions everywhere.

use choros_data::{Assignment, Term, Terms};
use choros_smt::{Elimination, Limits, Reason, Satisfiability, Solver, SolverError};

/// An elimination asks several questions and takes as long as this many.
const ELIMINATION: u64 = 10;
/// What the solver gives up has taken as long as this many.
const IN_VAIN: u64 = 2_000;

/// Passes questions on and counts them.
pub(crate) struct Counted<'a> {
    inner: &'a mut dyn Solver,
    asked: u64,
}

impl<'a> Counted<'a> {
    pub(crate) fn new(inner: &'a mut dyn Solver) -> Counted<'a> {
        Counted { inner, asked: 0 }
    }

    /// How many questions there were.
    pub(crate) fn asked(&self) -> u64 {
        self.asked
    }
}

impl Solver for Counted<'_> {
    fn name(&self) -> String {
        self.inner.name()
    }
    fn set_limits(&mut self, limits: Limits) {
        self.inner.set_limits(limits);
    }
    fn push(&mut self) {
        self.inner.push();
    }
    fn pop(&mut self) {
        self.inner.pop();
    }
    fn assert(&mut self, formula: Term) {
        self.inner.assert(formula);
    }
    fn check_assuming(
        &mut self,
        terms: &mut Terms,
        assumptions: &[Term],
    ) -> Result<Satisfiability, SolverError> {
        let answer = self.inner.check_assuming(terms, assumptions)?;
        self.asked += match answer {
            Satisfiability::Unknown(
                Reason::Resources(_) | Reason::Milliseconds(_) | Reason::GaveUp(_),
            ) => IN_VAIN,
            _ => 1,
        };
        Ok(answer)
    }
    fn solution(&self) -> Option<&Assignment> {
        self.inner.solution()
    }
    fn unsat_core(&self) -> Option<&[usize]> {
        self.inner.unsat_core()
    }
    fn eliminate(&mut self, terms: &mut Terms, formula: Term) -> Result<Elimination, SolverError> {
        let answer = self.inner.eliminate(terms, formula)?;
        self.asked += match answer {
            Elimination::Quantified(_) => IN_VAIN,
            Elimination::Free(_) => ELIMINATION,
        };
        Ok(answer)
    }
}

//! A solver that counts what it is asked and how much work that is, so that searches end at the same point everywhere.

use choros_data::{Assignment, Term, Terms};
use choros_smt::{Elimination, Limits, Reason, Satisfiability, Solver, SolverError};

/// An elimination asks several questions and takes as long as this many.
const ELIMINATION: u64 = 10;
/// What the solver gives up has taken as long as this many.
const IN_VAIN: u64 = 2_000;
/// What our own work on a part of a formula costs, in resource units of the solver, about.
const PART: u64 = 2;

/// Passes questions on and counts them.
pub(crate) struct Counted<'a> {
    inner: &'a mut dyn Solver,
    asked: u64,
    /// What the solver had used before.
    before: u64,
    /// What we did ourselves, in the solver's units.
    own: u64,
    /// What is asserted, and where the levels begin.
    asserted: Vec<Term>,
    levels: Vec<usize>,
}

impl<'a> Counted<'a> {
    pub(crate) fn new(inner: &'a mut dyn Solver) -> Counted<'a> {
        Counted {
            before: inner.spent(),
            inner,
            asked: 0,
            own: 0,
            asserted: Vec::new(),
            levels: Vec::new(),
        }
    }

    /// How many questions there were.
    pub(crate) fn asked(&self) -> u64 {
        self.asked
    }

    /// How much work that was, in resource units of the solver.
    pub(crate) fn work(&self) -> u64 {
        let solver = self.inner.spent().saturating_sub(self.before);
        solver.saturating_add(self.own)
    }

    fn count(&mut self, terms: &Terms, formulas: &[Term]) {
        let all = self.asserted.iter().chain(formulas).copied();
        let parts = terms.postorder(all).len() as u64;
        self.own = self.own.saturating_add(parts * PART);
    }
}

impl Solver for Counted<'_> {
    fn name(&self) -> String {
        self.inner.name()
    }
    fn set_limits(&mut self, limits: Limits) {
        self.inner.set_limits(limits);
    }
    fn bound(&self) -> u64 {
        self.inner.bound()
    }
    fn spent(&self) -> u64 {
        self.inner.spent()
    }
    fn push(&mut self) {
        self.levels.push(self.asserted.len());
        self.inner.push();
    }
    fn pop(&mut self) {
        if let Some(level) = self.levels.pop() {
            self.asserted.truncate(level);
        }
        self.inner.pop();
    }
    fn assert(&mut self, formula: Term) {
        self.asserted.push(formula);
        self.inner.assert(formula);
    }
    fn check_assuming(
        &mut self,
        terms: &mut Terms,
        assumptions: &[Term],
    ) -> Result<Satisfiability, SolverError> {
        self.count(terms, assumptions);
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
        self.count(terms, &[formula]);
        let answer = self.inner.eliminate(terms, formula)?;
        self.asked += match answer {
            Elimination::Quantified(_) => IN_VAIN,
            Elimination::Free(_) => ELIMINATION,
        };
        Ok(answer)
    }
}

//! What a particular solver must be able to do; [`crate::Checked`] makes a [`crate::Solver`] of it.

use choros_data::{Assignment, Term, Terms, Var};

use crate::{Limits, Reason, SolverError};

/// A solver as it is, before anything it says is believed.
pub trait Backend {
    /// What answers, with its version: `z3 4.8.12`.
    fn name(&self) -> String;

    /// Opens a level.
    fn push(&mut self) -> Result<(), SolverError>;

    /// Closes this many levels.
    fn pop(&mut self, levels: usize) -> Result<(), SolverError>;

    /// Adds a formula to the level opened last, or says why it cannot.
    fn assert(&mut self, terms: &Terms, formula: Term) -> Result<AssertResult, SolverError>;

    /// Decides the asserted formulas together with the assumptions.
    fn check(&mut self, query: Query<'_>) -> Result<BackendAnswer, SolverError>;

    /// A formula without quantifiers that may be equivalent; no one believes it unproved.
    fn eliminate(
        &mut self,
        terms: &mut Terms,
        formula: Term,
        limits: &Limits,
    ) -> Result<Option<Term>, SolverError>;

    /// Asked before each query: whether all levels and formulas are still there, and can be used under these bounds.
    ///
    /// When they are not (a process was killed, or must be started again), everything will be told again.
    fn remembers(&mut self, limits: &Limits) -> bool {
        let _ = limits;
        true
    }

    /// The resource units that all queries so far have used; nothing if it does not count them.
    fn spent(&self) -> Option<u64> {
        None
    }
}

/// Whether a formula was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AssertResult {
    /// It counts from now on.
    Asserted,
    /// This solver cannot express it; nothing was asserted.
    Refused(Reason),
}

/// One question.
#[derive(Debug)]
pub struct Query<'a> {
    /// The store of all terms.
    pub terms: &'a mut Terms,
    /// Formulas that hold for this question only.
    pub assumptions: &'a [Term],
    /// What to report values of.
    pub variables: &'a [Var],
    /// How much it may cost.
    pub limits: &'a Limits,
}

/// What a solver says.
#[derive(Debug, Clone, PartialEq)]
pub enum BackendAnswer {
    /// These values satisfy everything, it says.
    Sat(Assignment),
    /// Nothing does; the assumptions at these positions suffice for that.
    Unsat(Vec<usize>),
    /// It does not know.
    Unknown(Reason),
}

impl<B: Backend + ?Sized> Backend for Box<B> {
    fn name(&self) -> String {
        (**self).name()
    }
    fn push(&mut self) -> Result<(), SolverError> {
        (**self).push()
    }
    fn pop(&mut self, levels: usize) -> Result<(), SolverError> {
        (**self).pop(levels)
    }
    fn assert(&mut self, terms: &Terms, formula: Term) -> Result<AssertResult, SolverError> {
        (**self).assert(terms, formula)
    }
    fn check(&mut self, query: Query<'_>) -> Result<BackendAnswer, SolverError> {
        (**self).check(query)
    }
    fn eliminate(
        &mut self,
        terms: &mut Terms,
        formula: Term,
        limits: &Limits,
    ) -> Result<Option<Term>, SolverError> {
        (**self).eliminate(terms, formula, limits)
    }
    fn remembers(&mut self, limits: &Limits) -> bool {
        (**self).remembers(limits)
    }
    fn spent(&self) -> Option<u64> {
        (**self).spent()
    }
}

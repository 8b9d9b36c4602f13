//! A conversation that a test has left in the middle.
//!
//! Each test begins a conversation of its own, but the service need not have ended the one before: its timers run on,
//! and it may call partners whom the tester plays.
//! Who takes such a call for one of the new conversation blames a correct service, so what the old one may still say is
//! remembered.
//! Of a conversation that has failed no one knows what it may still say.

use choros_data::Terms;
use choros_smt::{Solver, SolverError};

use super::belief::{Allowed, Belief};
use super::clock::Moment;
use super::message::ConcreteMessage;
use super::specification::Specification;

/// What is left of a test: everything that its conversation may still do.
#[derive(Debug, Clone)]
pub struct Leftover<'s> {
    specification: Specification<'s>,
    belief: Belief,
    has_failed: bool,
}

impl<'s> Leftover<'s> {
    /// Nothing, if the service has ended the conversation whatever branch it took.
    ///
    /// What was not followed is not remembered: else one belief that was cut would make all tests after it doubtful.
    pub(super) fn of(
        specification: Specification<'s>,
        mut belief: Belief,
        has_failed: bool,
    ) -> Option<Leftover<'s>> {
        belief.cut = None;
        let has_ended = belief.branches.iter().all(|branch| {
            branch.outbox.is_empty() && specification.stg.outgoing(branch.node).next().is_none()
        });
        (has_failed || !has_ended).then_some(Leftover {
            specification,
            belief,
            has_failed,
        })
    }

    /// Whether the service has left the model there: it may still say anything.
    pub fn has_failed(&self) -> bool {
        self.has_failed
    }

    /// Whether the old conversation may say this, this many microseconds after it began.
    pub fn may_say(
        &mut self,
        message: &ConcreteMessage,
        now: Moment,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<bool, SolverError> {
        let specification = self.specification;
        self.belief.close(now, &specification, terms, solver)?;
        let mut after = self.belief.clone();
        let allowed = after.observe(message, &specification, terms, solver)?;
        Ok(allowed != Allowed::No)
    }

    pub fn said(
        &mut self,
        message: &ConcreteMessage,
        now: Moment,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<(), SolverError> {
        let specification = self.specification;
        self.belief.close(now, &specification, terms, solver)?;
        self.belief
            .observe(message, &specification, terms, solver)?;
        Ok(())
    }
}

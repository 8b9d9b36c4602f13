//! Whether something that the service says may belong to this conversation and not to another.

use choros_data::Terms;
use choros_smt::{Solver, SolverError};

use super::belief::Allowed;
use super::clock::Moment;
use super::conversation::Driver;
use super::message::ConcreteMessage;
use super::outcome::TestVerdict;

/// Whether a conversation may own a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ownership {
    /// Some branch of it allows the message now.
    Yes,
    /// None does.
    No,
    /// No one can say.
    Unknown,
}

impl Driver<'_> {
    /// Whether the model allows this message now; nothing changes.
    ///
    /// A conversation with a correct service claims all of its own messages, by the argument that it is never blamed.
    pub fn claims(
        &self,
        message: &ConcreteMessage,
        now: Moment,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<Ownership, SolverError> {
        if self.verdict.is_some() {
            return Ok(Ownership::No);
        }
        let mut belief = self.belief.clone();
        belief.close(now, &self.specification, terms, solver)?;
        let allowed = belief.observe(message, &self.specification, terms, solver)?;
        Ok(match allowed {
            Allowed::Yes => Ownership::Yes,
            Allowed::No => Ownership::No,
            Allowed::Unknown => Ownership::Unknown,
        })
    }

    /// No one can tell what belongs to this conversation any more.
    pub fn give_up(&mut self, reason: &str) {
        if self.verdict.is_none() {
            self.conclude(TestVerdict::Inconclusive, reason.to_owned());
        }
    }
}

//! What a driver is told of the transport: refusals, arrivals, what cannot be read, what belongs to others.

use choros_data::Terms;
use choros_model::stg::Operation;
use choros_smt::{Solver, SolverError};

use super::belief::Allowed;
use super::clock::Moment;
use super::conversation::{Driver, Purpose};
use super::leftover::Leftover;
use super::message::ConcreteMessage;
use super::outcome::{ConversationEntry, TestVerdict};

impl<'s> Driver<'s> {
    /// The transport gave up on a call of this operation: it could not be sent, or was answered by an error that is
    /// no message of the model, or by nothing.
    pub fn refused(
        &mut self,
        operation: Operation,
        reason: &str,
        now: Moment,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<(), SolverError> {
        if self.verdict.is_some() {
            return Ok(());
        }
        self.log.push(ConversationEntry::Refused {
            at: now,
            operation,
            reason: reason.to_owned(),
        });
        self.open.retain(|&open| open != operation);
        self.acknowledge(operation);
        // On a busy machine a call takes its time to arrive, and a timer of the service may have been faster.
        self.belief.arrived(operation, now);
        self.belief.close(now, &self.specification, terms, solver)?;
        let expected = self.belief.expected(terms);
        let name = terms.names.text(operation.0).to_owned();
        let path = &self.paths[self.guide.number];
        let is_awaited = self
            .guide
            .expected(path)
            .any(|(_, message)| message.operation == operation);
        let specification = self.specification;
        match self
            .belief
            .refuse(operation, now, &specification, terms, solver)?
        {
            Allowed::No => self.fail(format!("{name} was refused: {reason}"), expected),
            Allowed::Unknown => {
                let why = self.belief.doubt();
                self.conclude(
                    TestVerdict::Inconclusive,
                    format!("it was not decided whether {name} may be refused ({reason}): {why}"),
                );
            }
            Allowed::Yes if is_awaited => {
                let why = format!("{name} may be refused ({reason}), but on another branch");
                self.diverge(&why, terms, solver)?;
            }
            Allowed::Yes => {
                // The connection is closed; there is no need to wait any longer for an answer that must not come.
                if self.is_quiet() {
                    self.listening = None;
                }
            }
        }
        Ok(())
    }

    /// A call without an answer has arrived.
    pub fn arrived(&mut self, operation: Operation, now: Moment) {
        if self.verdict.is_none() {
            self.log
                .push(ConversationEntry::Arrived { at: now, operation });
        }
        self.belief.arrived(operation, now);
        self.acknowledge(operation);
    }

    /// No one will say soon whether this message has arrived, such as one that answers a call of the service: there is
    /// no use in waiting for it. What follows may overtake it, which the belief knows.
    pub fn unacknowledged(&mut self, operation: Operation) {
        self.acknowledge(operation);
    }

    fn acknowledge(&mut self, operation: Operation) {
        let mut sent = self.unacknowledged.iter();
        if let Some(first) = sent.position(|it| it.operation == operation) {
            self.unacknowledged.remove(first);
        }
        let is_waiting = matches!(self.listening, Some((_, Purpose::Arrival)));
        if is_waiting && self.unacknowledged.is_empty() {
            self.listening = None;
        }
    }

    /// Something came that is not a message of the model: no XML, another type, an unknown operation.
    pub fn malformed(&mut self, reason: &str, now: Moment, terms: &Terms) {
        if self.verdict.is_none() {
            self.log.push(ConversationEntry::Malformed {
                at: now,
                reason: reason.to_owned(),
            });
            let expected = self.belief.expected(terms);
            self.fail(reason.to_owned(), expected);
        }
    }

    /// Something came that may be a message of the model, but cannot be read.
    pub fn unclear(&mut self, reason: &str, now: Moment) {
        if self.verdict.is_none() {
            self.log.push(ConversationEntry::Malformed {
                at: now,
                reason: reason.to_owned(),
            });
            self.conclude(TestVerdict::Inconclusive, reason.to_owned());
        }
    }

    /// Whether the conversation of this test may say this now; no one is told.
    pub fn may_say(
        &mut self,
        message: &ConcreteMessage,
        now: Moment,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<bool, SolverError> {
        self.belief.close(now, &self.specification, terms, solver)?;
        let mut after = self.belief.clone();
        let allowed = after.observe(message, &self.specification, terms, solver)?;
        Ok(allowed != Allowed::No)
    }

    /// What came may belong to another conversation: from now on nothing is a violation.
    pub fn doubt(&mut self, why: &str) {
        self.belief.cut.get_or_insert_with(|| why.to_owned());
    }

    /// What the conversation may still do when the test is over.
    pub fn leftover(&self) -> Option<Leftover<'s>> {
        let verdict = self.verdict.as_ref().map(|(verdict, ..)| *verdict);
        let has_failed = verdict == Some(TestVerdict::Fail);
        Leftover::of(self.specification, self.belief.clone(), has_failed)
    }
}

//! Judging a conversation again that was recorded, without a service.
//!
//! The verdict of a driver depends on what was exchanged and when, and on nothing else: the log of an outcome has all
//! of it, so the same log gives the same verdict, and against another model it gives the verdict that the service would
//! have got for it.

use choros_data::Terms;
use choros_smt::{Solver, SolverError};

use super::clock::Moment;
use super::conversation::{ConversationRules, Driver, Purpose};
use super::guide::{Ahead, Follows};
use super::message::ConcreteMessage;
use super::outcome::{ConversationEntry, TestOutcome, TestVerdict};
use super::path::SymbolicPath;
use super::specification::Specification;

/// The outcome of a test along one of the paths in which all that happened, in a run before, is in the log.
///
/// The log of the outcome ends where the verdict falls, which is earlier than in the record where the model has changed.
/// `None` if there is no such path.
pub fn judge_again(
    specification: Specification<'_>,
    paths: &[SymbolicPath],
    number: usize,
    conduct: ConversationRules,
    log: &[ConversationEntry],
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Option<TestOutcome>, SolverError> {
    match Driver::new(specification, paths, number, conduct, 0, terms) {
        None => Ok(None),
        Some(driver) => replay(driver, log, terms, solver).map(Some),
    }
}

/// The outcome of a recorded conversation by the branches of the model alone, whatever its path was: a failure, or a
/// pass if the model allows all of it.
pub fn judge_by_model(
    specification: Specification<'_>,
    conduct: ConversationRules,
    log: &[ConversationEntry],
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<TestOutcome, SolverError> {
    let nowhere = [SymbolicPath {
        name: String::new(),
        steps: Vec::new(),
        conditions: Vec::new(),
        is_complete: true,
        edges: Vec::new(),
    }];
    let mut driver = Driver::along(specification, &nowhere, 0, conduct, 0, terms);
    driver.is_free = true;
    replay(driver, log, terms, solver)
}

fn replay(
    mut driver: Driver<'_>,
    log: &[ConversationEntry],
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<TestOutcome, SolverError> {
    for entry in log {
        if driver.verdict.is_some() {
            break;
        }
        driver.again(entry, terms, solver)?;
    }
    if driver.verdict.is_none() {
        match driver.ahead() {
            Ahead::End => driver.pass(),
            _ => driver.conclude(
                TestVerdict::Inconclusive,
                "the record ends before the path".to_owned(),
            ),
        }
    }
    Ok(driver.outcome())
}

impl Driver<'_> {
    fn ahead(&self) -> Ahead {
        self.guide.ahead(&self.paths[self.guide.number])
    }

    fn again(
        &mut self,
        entry: &ConversationEntry,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<(), SolverError> {
        match entry {
            ConversationEntry::Sent { at, message } => self.sent_again(message, *at, terms, solver),
            ConversationEntry::Seen { at, message } => {
                self.listen_again(*at);
                self.observe(message.clone(), *at, terms, solver)
            }
            ConversationEntry::Refused {
                at,
                operation,
                reason,
            } => {
                self.listen_again(*at);
                self.refused(*operation, reason, *at, terms, solver)
            }
            ConversationEntry::Arrived { at, operation } => {
                self.arrived(*operation, *at);
                Ok(())
            }
            ConversationEntry::Malformed { at, reason } => {
                self.malformed(reason, *at, terms);
                Ok(())
            }
            ConversationEntry::Waited { at, ticks } => {
                let purpose = match ticks {
                    0 => Purpose::Answer,
                    &ticks => Purpose::Time(ticks),
                };
                self.listening = Some((*at, purpose));
                self.elapsed(*at, terms, solver)
            }
        }
    }

    /// The tester sent this, whatever it would send now.
    fn sent_again(
        &mut self,
        message: &ConcreteMessage,
        now: Moment,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<(), SolverError> {
        if self.is_free {
            return self.note_sent(message.clone(), now, terms, solver);
        }
        // Each round but the last leaves a path for good, so this ends.
        while self.verdict.is_none() {
            let path = &self.paths[self.guide.number];
            let mut guide = self.guide.clone();
            match guide.replay_sent(message, path, terms, solver)? {
                Follows::Yes => {
                    self.guide = guide;
                    self.listening = None;
                    return self.note_sent(message.clone(), now, terms, solver);
                }
                Follows::No => {
                    let why = format!("the path does not send {}", message.text(terms));
                    self.diverge(&why, terms, solver)?;
                }
                Follows::Unknown => {
                    let text = message.text(terms);
                    self.conclude(
                        TestVerdict::Inconclusive,
                        format!("the solver cannot say whether the path sends {text}"),
                    );
                }
            }
        }
        Ok(())
    }

    /// Listens for what the path has next, as a driver does before anything can be observed.
    fn listen_again(&mut self, now: Moment) {
        if self.listening.is_none() {
            let purpose = match self.ahead() {
                Ahead::Send(_) => Purpose::Arrival,
                Ahead::Expect => Purpose::Answer,
                Ahead::Wait(ticks) => Purpose::Time(ticks),
                Ahead::End => Purpose::Quiet,
            };
            self.listening = Some((now, purpose));
        }
    }
}

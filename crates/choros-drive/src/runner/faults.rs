//! Tests that have passed, again with partners that do something wrong.

use choros_base::Choice;
use choros_model::stg::Operation;
use choros_symex::driver::{
    ConcreteMessage, Delay, PathMessage, SymbolicStep, TestVerdict, ValueStrategy, Withheld,
};

use super::lock;
use super::worker::Worker;
use crate::{PartnerFault, RunError, RunResult};

/// How often a conversation must fail after partners did something wrong, so that the service is blamed.
const CONTROLS: usize = 3;

/// How often a conversation must fail in which the model says what the service does.
const FAILURES: usize = 2;

/// A test is repeated this often under one fault.
const MOST_JUDGED: usize = 12;

impl Worker<'_> {
    /// Conversations in which partners do something wrong, each followed by one in which they do not: that one must pass.
    ///
    /// What the service says while its partners are wrong is held against no one, and neither is what may be left over
    /// from there: only a service that fails again and again is blamed, with the reason.
    pub(super) fn disturbed(
        &mut self,
        number: usize,
        strategy: ValueStrategy,
        ran: &mut RunResult,
        runs: &mut Vec<usize>,
        remarks: &mut Vec<String>,
    ) -> Result<Option<String>, RunError> {
        for &fault in &self.run.plan.faults {
            let word = fault.word();
            if let Some(reason) = self.judged(number, fault, strategy, ran, runs, remarks)? {
                return Ok(Some(reason));
            }
            self.rest();
            self.wire.disturb(Some(fault));
            let wrong = self.turn(number, runs.len(), strategy, &[]);
            let injected = self.wire.disturb(None);
            match wrong {
                Err(RunError::Cancelled) => return Err(RunError::Cancelled),
                Err(RunError::Solver(error)) => return Err(RunError::Solver(error)),
                // A service that is gone shows in the next conversation.
                Ok(_) | Err(_) if injected > 0 => {}
                _ => continue,
            }
            let mut last = None;
            for _ in 0..CONTROLS {
                self.rest();
                self.abandoned.clear();
                match self.once(number, strategy, &[], runs) {
                    Ok(next) if next.outcome.verdict != TestVerdict::Fail => {
                        last = None;
                        break;
                    }
                    Ok(next) => last = Some((next.outcome.reason.clone(), Some(next))),
                    Err(RunError::Unreachable(reason)) => {
                        last = Some((format!("the service is gone: {reason}"), None));
                    }
                    Err(stopped) => return Err(stopped),
                }
            }
            if let Some((reason, next)) = last {
                if let Some(next) = next {
                    *ran = next;
                }
                return Ok(Some(format!(
                    "after `{word}` was injected ({injected} times), other conversations fail: {reason}"
                )));
            }
            remarks.push(format!(
                "`{word}` was injected ({injected} times): the next conversation does not fail"
            ));
        }
        Ok(None)
    }

    /// Conversations in which partners do only what the model has an answer to: the service must do what the model says.
    ///
    /// A partner is slower than a timer of the service, or says nothing any more; it sends copies of messages that are
    /// taken once.
    /// Who fails is asked again: a machine may have been busy just then.
    fn judged(
        &mut self,
        number: usize,
        fault: PartnerFault,
        strategy: ValueStrategy,
        ran: &mut RunResult,
        runs: &mut Vec<usize>,
        remarks: &mut Vec<String>,
    ) -> Result<Option<String>, RunError> {
        if !self.has_answer(number, fault) {
            return Ok(None);
        }
        let word = fault.word();
        let (mut judged, mut failures, mut open) = (0, 0, None);
        for _ in 0..MOST_JUDGED {
            self.rest();
            let Some((what, next)) = self.with_fault(number, fault, strategy, runs)? else {
                break;
            };
            match next.outcome.verdict {
                TestVerdict::Fail => failures += 1,
                TestVerdict::Pass => judged += 1,
                TestVerdict::Inconclusive => open = Some(next.outcome.reason.clone()),
            }
            if failures == FAILURES {
                let reason = format!("`{word}`, {what}: {}", next.outcome.reason);
                *ran = next;
                return Ok(Some(reason));
            }
            if next.outcome.verdict != TestVerdict::Fail {
                failures = 0;
                match next.outcome.withheld {
                    Some(withheld) => lock(&self.shared.withheld).push(withheld),
                    None => break,
                }
            }
        }
        match (judged, open) {
            (0, None) => {}
            (0, Some(reason)) => remarks.push(format!("`{word}` was not judged: {reason}")),
            (1, _) => remarks.push(format!("`{word}`: the service did what the model says")),
            (times, _) => remarks.push(format!(
                "`{word}`, {times} times: the service did what the model says"
            )),
        }
        Ok(None)
    }

    /// Whether the model may say what the service does under a fault on this path.
    fn has_answer(&self, number: usize, fault: PartnerFault) -> bool {
        let stg = &self.run.derived.orchestration.stg;
        match fault {
            PartnerFault::Slow | PartnerFault::HangUp => {
                stg.edges().iter().any(|edge| edge.event.is_tick())
            }
            PartnerFault::Twice => self
                .sent_on(number)
                .any(|it| stg.once().contains(&(it.operation, it.from, it.to))),
            PartnerFault::Error | PartnerFault::Nonsense => false,
        }
    }

    /// One conversation with a fault, and what was done wrong; none if nothing was.
    fn with_fault(
        &mut self,
        number: usize,
        fault: PartnerFault,
        strategy: ValueStrategy,
        runs: &mut Vec<usize>,
    ) -> Result<Option<(String, RunResult)>, RunError> {
        let delay = match fault {
            PartnerFault::Slow => Delay::UntilLate,
            PartnerFault::HangUp => Delay::Forever,
            PartnerFault::Twice | PartnerFault::Error | PartnerFault::Nonsense => {
                self.wire
                    .copy(self.run.derived.orchestration.stg.once().to_vec());
                let next = self.once(number, strategy, &[], runs);
                self.wire.copy(Vec::new());
                let copies = self.wire.disturb(None);
                let what = format!("{copies} copies of messages that are taken once");
                return next.map(|next| (copies > 0).then_some((what, next)));
            }
        };
        let known = lock(&self.shared.withheld).clone();
        self.withholding = Some((delay, known));
        let next = self.once(number, strategy, &[], runs);
        self.withholding = None;
        let next = next?;
        let what = next.outcome.withheld.as_ref().map(Withheld::text);
        Ok(what.map(|what| (what, next)))
    }

    /// What the tester sends on a path.
    fn sent_on(&self, number: usize) -> impl Iterator<Item = &PathMessage> {
        let steps = &self.run.derived.suite.paths[number].steps;
        steps.iter().filter_map(|step| match step {
            SymbolicStep::Send(message) => Some(message),
            _ => None,
        })
    }

    /// What the tester sends as an answer over the connection of a call, on any path.
    pub(super) fn answers(&self) -> Vec<Operation> {
        let paths = 0..self.run.derived.suite.paths.len();
        let sent = paths.flat_map(|number| self.sent_on(number));
        let is_answer = |message: &&PathMessage| {
            self.codec.is_reply(&ConcreteMessage {
                operation: message.operation,
                from: message.from,
                to: message.to,
                fault: message.fault,
                values: Vec::new(),
            })
        };
        sent.filter(is_answer).map(|it| it.operation).collect()
    }
}

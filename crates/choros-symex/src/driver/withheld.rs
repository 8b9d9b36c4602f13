//! A partner that keeps a message back, where the model says what the service does without it.
//!
//! A partner that is slow breaks no promise: messages take any time.
//! Where a timer of the service runs while it waits for the message, the model goes on without it, so the branches of
//! the model judge all that the service says then, as they judge everything else: nothing is added to them.
//! Where no timer runs, the model lets the service wait forever; services do not, and they are not judged for it.
//!
//! The message is kept back until the service has gone on.
//! Then another path of the suite is followed, on which all that happened lies: one that sends the message late, or one
//! on which its sender says nothing any more.
//! Where there is none, the tester listens until the service may be silent, and sends the message if the service takes it
//! wherever it may stand then.

use choros_data::Terms;
use choros_model::stg::{NodeId, Operation, Role};
use choros_smt::{Solver, SolverError};

use super::belief::Allowed;
use super::clock::Moment;
use super::conversation::{Driver, DriverAction, Purpose};
use super::guide::{Ahead, Follows, Guide};
use super::outcome::{ConversationEntry, TestVerdict};
use super::path::{PathMessage, SymbolicStep};

/// For how long a message is kept back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delay {
    /// Until the service has gone on without it.
    UntilLate,
    /// Forever, as all that its sender would say after it.
    Forever,
}

/// What was kept back, and where the service stood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withheld {
    pub delay: Delay,
    pub operation: Operation,
    pub from: Role,
    /// The message for people, without its data.
    heading: String,
    node: NodeId,
}

impl Withheld {
    /// What the tester did: `payment -> order: Charged kept back`.
    pub fn text(&self) -> String {
        match self.delay {
            Delay::UntilLate => format!("{} kept back", self.heading),
            Delay::Forever => format!("{} never sent", self.heading),
        }
    }
}

/// What a driver keeps back.
#[derive(Debug, Clone)]
pub(super) struct Withholding {
    delay: Delay,
    /// What was kept back in conversations before, and is sent in time now.
    known: Vec<Withheld>,
    /// Answers over the connection of a call: no one knows whether they come late or not at all.
    answers: Vec<Operation>,
    /// What is kept back, since when, and how long the record was then.
    pub(super) now: Option<(Withheld, Moment, usize)>,
    /// How long the record was when a path was looked for.
    searched: usize,
}

impl<'s> Driver<'s> {
    /// Keeps back the first message that the model can do without, but for those that are known and for `answers`.
    #[must_use]
    pub fn withholding(
        mut self,
        delay: Delay,
        known: Vec<Withheld>,
        answers: Vec<Operation>,
    ) -> Driver<'s> {
        self.withholding = Some(Withholding {
            delay,
            known,
            answers,
            now: None,
            searched: 0,
        });
        self
    }

    /// Whether the message that the path sends next is kept back; from then on, the branches of the model judge alone.
    pub(super) fn withholds(
        &mut self,
        position: usize,
        now: Moment,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<bool, SolverError> {
        let path = &self.paths[self.guide.number];
        let Some(message) = self.guide.sends(position, path).cloned() else {
            return Ok(false);
        };
        let is_possible = self
            .withholding
            .as_ref()
            .is_some_and(|it| it.now.is_none() && !it.answers.contains(&message.operation));
        if !is_possible {
            return Ok(false);
        }
        self.belief.close(now, &self.specification, terms, solver)?;
        let Some(node) = self.does_without(&message) else {
            return Ok(false);
        };
        let length = self.log.len();
        let Some(withholding) = &mut self.withholding else {
            return Ok(false);
        };
        let withheld = Withheld {
            delay: withholding.delay,
            operation: message.operation,
            from: message.from,
            heading: message.heading(terms),
            node,
        };
        if withholding.known.contains(&withheld) {
            return Ok(false);
        }
        withholding.now = Some((withheld, now, length));
        withholding.searched = length;
        self.is_free = true;
        self.listening = None;
        Ok(true)
    }

    /// Where the service waits for a message while a timer runs, if it does so wherever it may wait for it.
    fn does_without(&self, message: &PathMessage) -> Option<NodeId> {
        let stg = self.specification.stg;
        let mut found = None;
        for branch in self
            .belief
            .branches
            .iter()
            .filter(|it| it.outbox.is_empty())
        {
            let takes = stg.outgoing(branch.node).any(|(_, edge)| {
                edge.event.message().is_some_and(|it| {
                    it.operation == message.operation
                        && it.from == message.from
                        && it.to == message.to
                })
            });
            if !takes {
                continue;
            }
            if !stg
                .outgoing(branch.node)
                .any(|(_, edge)| edge.event.is_tick())
            {
                return None;
            }
            found = found.or(Some(branch.node));
        }
        found
    }

    /// Whether the service takes a message wherever it may stand.
    fn takes(&self, withheld: &Withheld) -> bool {
        let stg = self.specification.stg;
        self.belief.branches.iter().all(|branch| {
            branch.outbox.is_empty()
                && stg.outgoing(branch.node).any(|(_, edge)| {
                    edge.event.message().is_some_and(|it| {
                        it.operation == withheld.operation && it.from == withheld.from
                    })
                })
        })
    }

    /// Whether what was kept back is sent by now.
    fn has_sent(&self, withheld: &Withheld, length: usize) -> bool {
        self.log[length..].iter().any(|entry| match entry {
            ConversationEntry::Sent { message, .. } => {
                message.operation == withheld.operation && message.from == withheld.from
            }
            _ => false,
        })
    }

    /// What to do while a message is kept back.
    pub(super) fn without(
        &mut self,
        now: Moment,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<DriverAction, SolverError> {
        if let Some(guide) = self.goes_on_along(terms, solver)? {
            self.guide = guide;
            self.is_free = false;
            return self.next(now, terms, solver);
        }
        if let Some((_, since, length)) = self.withholding.as_ref().and_then(|it| it.now.as_ref()) {
            let longest = self.paths.iter().map(|it| it.steps.len()).max();
            let is_long = self.log.len() - length > 2 * longest.unwrap_or(0) + 1;
            if is_long || now > since + self.patience() {
                // All of it is allowed, and a service that never ends is not listened to forever.
                let reason = "the service did what the model says, as long as it was heard";
                self.conclude(TestVerdict::Pass, reason.to_owned());
                return Ok(DriverAction::Stop);
            }
        }
        let path = &self.paths[self.guide.number];
        if self.is_late
            && let Ahead::Send(position) = self.guide.ahead(path)
        {
            self.is_late = false;
            return self.send(position, now, terms, solver);
        }
        let until = self.belief.overdue(&self.specification).max(now) + 1;
        self.listening = Some((until, Purpose::Without));
        Ok(DriverAction::Listen(until))
    }

    /// For how long the tester listens without a message: as long as the longest path waits, and one answer takes.
    fn patience(&self) -> Moment {
        let tempo = self.specification.tempo;
        let ticks = self.paths.iter().map(|path| {
            let steps = path.steps.iter();
            steps.filter(|it| matches!(it, SymbolicStep::Tick)).count()
        });
        (ticks.max().unwrap_or(0) as u64 + 2) * (tempo.unit + tempo.tolerance) + tempo.answer
    }

    /// A path on which all that happened lies, and on which what is kept back comes late, or its sender says nothing
    /// any more.
    fn goes_on_along(
        &mut self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<Option<Guide>, SolverError> {
        let length = self.log.len();
        let withheld = match &mut self.withholding {
            Some(Withholding {
                now: Some((withheld, ..)),
                searched,
                ..
            }) if length > *searched => {
                *searched = length;
                withheld.clone()
            }
            _ => return Ok(None),
        };
        let mut silent = None;
        for (number, path) in self.paths.iter().enumerate() {
            if self.left.contains(&number) {
                continue;
            }
            let Some(mut guide) = self.lies_on(number, terms, solver)? else {
                continue;
            };
            guide.catch_up(path);
            let sends: Vec<&PathMessage> = guide.sendings(path).collect();
            let next = sends.first();
            let is_late = next
                .is_some_and(|it| it.operation == withheld.operation && it.from == withheld.from);
            let is_silent = sends.iter().all(|message| message.from != withheld.from);
            if is_late && withheld.delay == Delay::UntilLate {
                return Ok(Some(guide));
            }
            if is_silent && silent.is_none() {
                silent = Some(guide);
            }
        }
        Ok(silent)
    }

    /// The guide of a path after all that happened, if that lies on it.
    pub(super) fn lies_on(
        &self,
        number: usize,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<Option<Guide>, SolverError> {
        let path = &self.paths[number];
        let mut guide = Guide::new(number, path, terms);
        for entry in &self.log {
            if guide.replay(entry, path, terms, solver)? != Follows::Yes {
                return Ok(None);
            }
        }
        Ok(Some(guide))
    }

    /// Nothing came while a message is kept back.
    pub(super) fn still_without(
        &mut self,
        now: Moment,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<(), SolverError> {
        let Some((withheld, since, length)) =
            self.withholding.as_ref().and_then(|it| it.now.clone())
        else {
            return Ok(());
        };
        self.belief.close(now, &self.specification, terms, solver)?;
        let specification = self.specification;
        let tempo = specification.tempo;
        let expected = self.belief.expected(terms);
        let silence = self.belief.silence(now, &specification, terms, solver)?;
        let last = self.log.last().map_or(since, ConversationEntry::at);
        let due = self.belief.overdue(&specification).max(last).max(since) + tempo.answer;
        match silence {
            Allowed::No if due >= now => self.listening = Some((due + 1, Purpose::Without)),
            Allowed::No => {
                let reason = "what is due did not come in time".to_owned();
                self.log
                    .push(ConversationEntry::Waited { at: now, ticks: 0 });
                self.verdict = Some((self.conduct.on_timeout, reason, expected));
            }
            Allowed::Unknown => {
                let why = self.belief.doubt();
                let reason = format!("it was not decided whether the service may be silent: {why}");
                self.conclude(TestVerdict::Inconclusive, reason);
            }
            Allowed::Yes => {
                let goes_on = self.belief.branches.iter().any(|branch| {
                    let mut edges = specification.stg.outgoing(branch.node);
                    edges.any(|(_, edge)| edge.event.is_tick())
                });
                if goes_on && now < since + self.patience() {
                    let next = self
                        .belief
                        .overdue(&specification)
                        .max(now + tempo.tolerance);
                    self.listening = Some((next + 1, Purpose::Without));
                } else if withheld.delay == Delay::UntilLate
                    && !self.has_sent(&withheld, length)
                    && self.takes(&withheld)
                {
                    self.is_late = true;
                } else if self.log.len() > length {
                    let reason = "the service did what the model says".to_owned();
                    self.conclude(TestVerdict::Pass, reason);
                } else {
                    let reason = "the service may be silent, and was".to_owned();
                    self.conclude(TestVerdict::Inconclusive, reason);
                }
            }
        }
        Ok(())
    }
}

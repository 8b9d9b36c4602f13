//! The driver: online testing without input and output (Bentakouk, Algorithm 1, repaired).
//!
//! Someone else turns the crank: asks for the next [`DriverAction`], carries it out, and tells what came of it.
//! A test follows one path, sends values that satisfy the path's condition, and checks what comes back against the
//! path and against *all* branches of the specification.
//! What no branch allows is a failure; what only other branches allow is inconclusive, or, when the driver adapts,
//! leads on along another path.

use choros_base::Name;
use choros_data::Terms;
use choros_model::stg::{EdgeId, Operation};
use choros_smt::{Solver, SolverError};

use super::belief::{Allowed, Belief};
use super::clock::Moment;
use super::guide::{Ahead, Follows, Guide, ValueWish};
use super::known_texts::KnownTexts;
use super::message::ConcreteMessage;
use super::outcome::{ConversationEntry, ExpectedEvent, TestOutcome, TestVerdict};
use super::path::SymbolicPath;
use super::specification::Specification;
use super::value_strategy::ValueStrategy;
use super::withheld::{Withheld, Withholding};

/// How a test is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConversationRules {
    /// Go on along another path when the service takes another branch.
    pub is_adaptive: bool,
    /// The verdict when an answer that is due does not come.
    pub on_timeout: TestVerdict,
    /// How values are chosen.
    pub strategy: ValueStrategy,
}

/// What to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DriverAction {
    /// Send this to the service now; it counts as sent.
    Send(ConcreteMessage),
    /// Listen until this moment; then, if nothing came, say so with [`Driver::elapsed`].
    Listen(Moment),
    /// It is over: [`Driver::outcome`].
    Stop,
}

/// One test under way.
#[derive(Debug)]
pub struct Driver<'s> {
    pub(super) specification: Specification<'s>,
    pub(super) paths: &'s [SymbolicPath],
    pub(super) conduct: ConversationRules,
    pub(super) guide: Guide,
    pub(super) belief: Belief,
    /// Until when we listen, and what for.
    pub(super) listening: Option<(Moment, Purpose)>,
    /// What was sent in a run before, whose values are sent again, first of all what comes first.
    pub(super) wanted: Vec<ConcreteMessage>,
    /// Texts that the service accepts.
    pub(super) known: Vec<KnownTexts>,
    /// Whether the branches of the model alone count, and no path is followed.
    pub(super) is_free: bool,
    /// Whether the service that serves several sessions has left all paths; the branches of the model alone count then.
    pub(super) is_left: bool,
    /// Calls of the tester that wait for an answer over the same connection.
    pub(super) open: Vec<Operation>,
    /// Calls without an answer that no one has said to have arrived; nothing is sent before, lest it overtakes them.
    pub(super) unacknowledged: Vec<ConcreteMessage>,
    /// Paths that were left; none is followed twice.
    pub(super) left: Vec<usize>,
    /// What partners keep back.
    pub(super) withholding: Option<Withholding>,
    /// Whether what is kept back is sent now.
    pub(super) is_late: bool,
    pub(super) log: Vec<ConversationEntry>,
    pub(super) verdict: Option<(TestVerdict, String, Vec<ExpectedEvent>)>,
}

/// What a tester listens for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// An output that the path has next.
    Answer,
    /// Time that must pass, in ticks.
    Time(u64),
    /// The arrival of what was sent.
    Arrival,
    /// What must not come any more.
    Quiet,
    /// What the service says without a message that is kept back.
    Without,
}

impl<'s> Driver<'s> {
    /// Begins a test along one of the paths.
    pub fn new(
        specification: Specification<'s>,
        paths: &'s [SymbolicPath],
        number: usize,
        conduct: ConversationRules,
        now: Moment,
        terms: &mut Terms,
    ) -> Option<Driver<'s>> {
        paths.get(number)?;
        Some(Driver::along(
            specification,
            paths,
            number,
            conduct,
            now,
            terms,
        ))
    }

    /// Begins a test along a path that is there.
    pub(super) fn along(
        specification: Specification<'s>,
        paths: &'s [SymbolicPath],
        number: usize,
        conduct: ConversationRules,
        now: Moment,
        terms: &mut Terms,
    ) -> Driver<'s> {
        Driver {
            guide: Guide::new(number, &paths[number], terms),
            belief: Belief::start(&specification, now),
            specification,
            paths,
            conduct,
            listening: None,
            wanted: Vec::new(),
            known: Vec::new(),
            is_free: false,
            is_left: false,
            open: Vec::new(),
            unacknowledged: Vec::new(),
            left: Vec::new(),
            withholding: None,
            is_late: false,
            log: Vec::new(),
            verdict: None,
        }
    }

    /// Sends the values of a run before again, wherever what the service says this time allows them.
    #[must_use]
    pub fn like(mut self, sent: Vec<ConcreteMessage>) -> Driver<'s> {
        self.wanted = sent;
        self
    }

    /// Prefers texts that the service is known to accept.
    #[must_use]
    pub fn preferring(mut self, known: Vec<KnownTexts>) -> Driver<'s> {
        self.known = known;
        self
    }

    /// What to do next.
    pub fn next(
        &mut self,
        now: Moment,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<DriverAction, SolverError> {
        if self.verdict.is_some() {
            return Ok(DriverAction::Stop);
        }
        if let Some((until, _)) = self.listening {
            return Ok(DriverAction::Listen(until));
        }
        if self.is_free {
            return self.without(now, terms, solver);
        }
        let path = &self.paths[self.guide.number];
        let tempo = self.specification.tempo;
        let (length, purpose) = match self.guide.ahead(path) {
            Ahead::Send(position) if self.must_wait(position, path, terms) => {
                (tempo.answer, Purpose::Arrival)
            }
            Ahead::End if !self.unacknowledged.is_empty() => (tempo.answer, Purpose::Arrival),
            Ahead::Send(position) if self.withholds(position, now, terms, solver)? => {
                return self.without(now, terms, solver);
            }
            Ahead::Send(position) => return self.send(position, now, terms, solver),
            Ahead::Expect => (tempo.answer, Purpose::Answer),
            Ahead::Wait(ticks) => (ticks * tempo.unit, Purpose::Time(ticks)),
            Ahead::End if self.is_left => self.what_is_due(now, terms, solver)?,
            Ahead::End if !path.is_complete => {
                self.pass();
                return Ok(DriverAction::Stop);
            }
            // A call that the path leaves without an answer must not be answered, so the time of an answer is waited.
            Ahead::End if !self.open.is_empty() => (tempo.answer, Purpose::Quiet),
            Ahead::End => (tempo.quiet, Purpose::Quiet),
        };
        self.listening = Some((now + length, purpose));
        Ok(DriverAction::Listen(now + length))
    }

    /// Something was received.
    pub fn observe(
        &mut self,
        message: ConcreteMessage,
        now: Moment,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<(), SolverError> {
        if self.verdict.is_some() {
            return Ok(());
        }
        self.log.push(ConversationEntry::Seen {
            at: now,
            message: message.clone(),
        });
        if self.open.contains(&message.operation) {
            self.belief.arrived(message.operation, now);
        }
        self.open
            .retain(|&operation| operation != message.operation);
        self.belief.close(now, &self.specification, terms, solver)?;
        let expected = self.belief.expected(terms);
        if let Some(reason) = self.ill_typed(&message, terms) {
            self.fail(reason, expected);
            return Ok(());
        }
        let specification = self.specification;
        let allowed = self
            .belief
            .observe(&message, &specification, terms, solver)?;
        self.belief.seen(now);
        let path = &self.paths[self.guide.number];
        let follows = match (self.is_free || self.is_left, allowed) {
            (false, _) => self.guide.see(&message, path, terms, solver)?,
            (true, Allowed::Yes) => Follows::Yes,
            (true, Allowed::No | Allowed::Unknown) => Follows::No,
        };
        let text = message.text(terms);
        match (allowed, follows) {
            (Allowed::Yes | Allowed::Unknown, Follows::Yes) => {
                // The wait for an answer begins again with the next one; time that must pass continues.
                if matches!(
                    self.listening,
                    Some((_, Purpose::Answer | Purpose::Without))
                ) {
                    self.listening = None;
                }
            }
            (Allowed::No, Follows::Yes) => {
                self.fail(format!("no branch allows {text} so early"), expected);
            }
            (Allowed::No, _) => self.fail(format!("no branch allows {text}"), expected),
            (Allowed::Unknown, _) => {
                let why = self.belief.doubt();
                self.conclude(
                    TestVerdict::Inconclusive,
                    format!("it was not decided whether {text} is allowed: {why}"),
                );
            }
            (Allowed::Yes, Follows::Unknown) => self.conclude(
                TestVerdict::Inconclusive,
                format!("the solver cannot say whether {text} is on the path"),
            ),
            // After the end of the path anything that is allowed is no matter.
            (Allowed::Yes, Follows::No) if self.is_quiet() => {}
            (Allowed::Yes, Follows::No) => {
                self.diverge(
                    &format!("{text} is allowed, but on another branch"),
                    terms,
                    solver,
                )?;
            }
        }
        Ok(())
    }

    /// The message of the last [`DriverAction::Send`] goes on its way now: finding its values may have taken long, and a timer
    /// of the service does not wait for that.
    pub fn sending(&mut self, now: Moment) {
        if let Some(ConversationEntry::Sent { at, .. }) = self.log.last_mut() {
            *at = now;
            self.belief.sending(now);
        }
    }

    /// Nothing came until the moment of [`DriverAction::Listen`].
    pub fn elapsed(
        &mut self,
        now: Moment,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<(), SolverError> {
        let Some((_, purpose)) = self.listening.take() else {
            return Ok(());
        };
        let ticks = match purpose {
            Purpose::Time(ticks) => ticks,
            _ => 0,
        };
        if matches!(purpose, Purpose::Answer | Purpose::Time(_)) {
            self.log.push(ConversationEntry::Waited { at: now, ticks });
        }
        let path = &self.paths[self.guide.number];
        match purpose {
            Purpose::Time(ticks) => self.guide.waited(ticks, path),
            Purpose::Quiet => self.pass(),
            Purpose::Without => return self.still_without(now, terms, solver),
            // No one says so; what follows may overtake it, which the belief knows.
            Purpose::Arrival => self.unacknowledged.clear(),
            Purpose::Answer => {
                self.belief.close(now, &self.specification, terms, solver)?;
                let expected = self.belief.expected(terms);
                let awaited: Vec<String> = self
                    .guide
                    .expected(path)
                    .map(|(_, message)| message.heading(terms))
                    .collect();
                // Where no path is followed, nothing is awaited by name.
                let awaited = if awaited.is_empty() {
                    "what is due".to_owned()
                } else {
                    awaited.join(", ")
                };
                let specification = self.specification;
                // A tick may have come a moment ago, and what follows it has its own time to arrive.
                let before = now.saturating_sub(specification.tempo.answer);
                let allowed = self.belief.silence(before, &specification, terms, solver)?;
                let due = self.belief.overdue(&specification) + specification.tempo.answer;
                if allowed != Allowed::No
                    && due >= now
                    && self.belief.silence(now, &specification, terms, solver)? == Allowed::No
                {
                    self.log.pop();
                    self.listening = Some((due + 1, Purpose::Answer));
                    return Ok(());
                }
                match allowed {
                    Allowed::No => {
                        let (verdict, why) = match self.last_refusal(terms) {
                            // An error is an answer, and no silence.
                            Some(refusal) => (TestVerdict::Fail, refusal),
                            None => (
                                self.conduct.on_timeout,
                                format!("{awaited} did not come in time"),
                            ),
                        };
                        self.verdict = Some((verdict, why, expected));
                    }
                    Allowed::Unknown => {
                        let why = self.belief.doubt();
                        self.conclude(
                            TestVerdict::Inconclusive,
                            format!("it was not decided whether {awaited} may be omitted: {why}"),
                        );
                    }
                    Allowed::Yes if self.is_left => self.pass(),
                    Allowed::Yes => {
                        let why = format!("{awaited} did not come; another branch allows silence");
                        self.diverge(&why, terms, solver)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// What became of the call that was sent last, if it was refused with a status; a connection that broke says nothing
    /// about the service.
    fn last_refusal(&self, terms: &Terms) -> Option<String> {
        let since = self.log.iter().rev();
        let mut since = since.take_while(|entry| !matches!(entry, ConversationEntry::Sent { .. }));
        since.find_map(|entry| match entry {
            ConversationEntry::Refused {
                operation, reason, ..
            } if reason.starts_with("status ") => {
                let name = terms.names.text(operation.0);
                Some(format!("{name} was refused: {reason}"))
            }
            _ => None,
        })
    }

    /// How it ended; inconclusive if it was stopped before.
    pub fn outcome(self) -> TestOutcome {
        let withheld = self.withheld().cloned();
        let (verdict, reason, expected) = self.verdict.unwrap_or_else(|| {
            (
                TestVerdict::Inconclusive,
                "the test was stopped".to_owned(),
                Vec::new(),
            )
        });
        let covered: Vec<EdgeId> = self
            .belief
            .branches
            .first()
            .map(|branch| branch.edges())
            .unwrap_or_default();
        TestOutcome {
            verdict,
            reason,
            expected,
            withheld,
            log: self.log,
            path: self.guide.number,
            covered,
            cut: self.belief.cut,
        }
    }

    /// What was kept back in this conversation.
    pub(super) fn withheld(&self) -> Option<&Withheld> {
        let (withheld, ..) = self.withholding.as_ref()?.now.as_ref()?;
        Some(withheld)
    }

    /// Whether a call of the tester with this operation waits for its answer.
    pub fn is_open(&self, operation: Operation) -> bool {
        self.open.contains(&operation)
    }

    pub(super) fn send(
        &mut self,
        position: usize,
        now: Moment,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<DriverAction, SolverError> {
        let path = &self.paths[self.guide.number];
        let wanted = self
            .guide
            .sends(position, path)
            .and_then(|message| self.wanted.iter().position(|it| message.is_like(it)))
            .map(|place| self.wanted.remove(place));
        let wish = ValueWish {
            like: wanted.as_ref(),
            strategy: self.conduct.strategy,
            known: &self.known,
        };
        let sent = self.guide.send(position, path, wish, terms, solver)?;
        match sent {
            Ok(message) => {
                self.note_sent(message.clone(), now, terms, solver)?;
                Ok(DriverAction::Send(message))
            }
            Err(Follows::Unknown) => {
                self.conclude(
                    TestVerdict::Inconclusive,
                    "the solver finds no values to continue with".to_owned(),
                );
                Ok(DriverAction::Stop)
            }
            Err(_) => {
                self.diverge("no values lead on along the path", terms, solver)?;
                self.next(now, terms, solver)
            }
        }
    }

    /// A message goes to the service.
    pub(super) fn note_sent(
        &mut self,
        message: ConcreteMessage,
        now: Moment,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<(), SolverError> {
        self.belief.close(now, &self.specification, terms, solver)?;
        self.belief.send(&message, now, &self.specification);
        match self.called(&message) {
            Some(true) => self.open.push(message.operation),
            Some(false) => self.unacknowledged.push(message.clone()),
            None => {}
        }
        self.log.push(ConversationEntry::Sent { at: now, message });
        Ok(())
    }

    /// Whether an input is a call, and whether its answer comes back over the same connection.
    fn called(&self, message: &ConcreteMessage) -> Option<bool> {
        let operations = &self.specification.interface.operations;
        operations
            .iter()
            .find(|signature| {
                signature.partner == message.from
                    && signature.operation == message.operation
                    && signature.side == choros_model::interface::Side::Provided
            })
            .map(|signature| signature.output.is_some() || !signature.faults.is_empty())
    }

    /// What the type of a message says against its value.
    fn ill_typed(&self, message: &ConcreteMessage, terms: &mut Terms) -> Option<String> {
        let [value] = &message.values[..] else {
            return None;
        };
        let interface = self.specification.interface;
        let signature = interface.operations.iter().find(|signature| {
            signature.partner == message.to && signature.operation == message.operation
        })?;
        let is_answer = signature.side == choros_model::interface::Side::Provided;
        let carried = match message.fault {
            Some(fault) => fault_type(&signature.faults, fault)?,
            None if is_answer => signature.output.as_ref()?,
            None => &signature.input,
        };
        let (variable, constraint) = carried.constraint?;
        let values = choros_data::Assignment::from_iter([(variable, value.clone())]);
        match terms.evaluate_guard(constraint, &values) {
            Ok(false) => Some(format!(
                "{} is not of its type {}",
                message.text(terms),
                terms.names.text(carried.name)
            )),
            _ => None,
        }
    }

    pub(super) fn is_quiet(&self) -> bool {
        matches!(self.listening, Some((_, Purpose::Quiet)))
    }

    /// The service took another branch than the path.
    pub(super) fn diverge(
        &mut self,
        why: &str,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<(), SolverError> {
        if self.is_free {
            return Ok(());
        }
        if self.conduct.is_adaptive
            && let Some(guide) = self.other_path(terms, solver)?
        {
            self.left.push(self.guide.number);
            self.guide = guide;
            self.listening = None;
            return Ok(());
        }
        if self.withheld().is_some() {
            // The model has other branches, and they are what counts.
            self.left.push(self.guide.number);
            self.is_free = true;
            self.listening = None;
            return Ok(());
        }
        if self.leaves_paths() {
            return Ok(());
        }
        self.conclude(TestVerdict::Inconclusive, why.to_owned());
        Ok(())
    }

    /// Another path on which everything that happened lies too.
    fn other_path(
        &self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<Option<Guide>, SolverError> {
        for number in 0..self.paths.len() {
            if number == self.guide.number || self.left.contains(&number) {
                continue;
            }
            if let Some(guide) = self.lies_on(number, terms, solver)? {
                return Ok(Some(guide));
            }
        }
        Ok(None)
    }

    pub(super) fn pass(&mut self) {
        let why = if self.is_left {
            "the service took a course of its own, which the model allows"
        } else {
            "the whole path was followed"
        };
        self.conclude(TestVerdict::Pass, why.to_owned());
    }

    pub(super) fn fail(&mut self, reason: String, expected: Vec<ExpectedEvent>) {
        self.verdict = Some((TestVerdict::Fail, reason, expected));
    }

    pub(super) fn conclude(&mut self, verdict: TestVerdict, reason: String) {
        self.verdict = Some((verdict, reason, Vec::new()));
    }
}

fn fault_type(
    faults: &[(Name, choros_model::interface::MessageType)],
    fault: Name,
) -> Option<&choros_model::interface::MessageType> {
    faults
        .iter()
        .find(|(name, _)| *name == fault)
        .map(|(_, carried)| carried)
}

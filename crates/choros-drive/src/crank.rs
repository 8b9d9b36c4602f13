//! Turning the crank of a driver: its actions over the wire, with a clock.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use choros_data::Terms;
use choros_exec::milliseconds_since_1970;
use choros_symex::driver::{
    ConcreteMessage, Driver, DriverAction, Leftover, Moment, Ownership, Solver, SolverError,
    TestOutcome,
};
use thiserror::Error;

use crate::codec::{Codec, DecodeError, Reply, Response};
use crate::event::Event;
use crate::switchboard::Vote;
use crate::wire::Wire;

/// How often someone who wants to stop is heard.
const NAP: Duration = Duration::from_millis(100);

/// A test that was run.
#[derive(Debug)]
pub struct RunResult {
    /// How it ended.
    pub outcome: TestOutcome,
    /// What came after the verdict, or from conversations of tests before.
    pub late: Vec<String>,
    /// When it began, in milliseconds since 1970.
    pub began: u64,
    /// How long it took.
    pub took: Duration,
    /// Whether something came that may as well belong to a test before: it tells nothing of the service.
    pub is_disturbed: bool,
    /// What no branch allows, and what may be left over from a test before that failed.
    pub strays: Vec<String>,
}

/// A conversation that a test before has left in the middle, and when it began.
#[derive(Debug)]
pub struct AbandonedConversation<'s> {
    start: Instant,
    leftover: Leftover<'s>,
}

impl AbandonedConversation<'_> {
    /// Whether the service has left the model there.
    pub fn has_failed(&self) -> bool {
        self.leftover.has_failed()
    }
}

/// Why a test could not be run at all.
#[derive(Debug, Error)]
pub enum RunError {
    /// The service is not there.
    #[error("the service cannot be reached at {0}")]
    Unreachable(String),
    /// A message of the test has no form on the wire.
    #[error("{0}")]
    Mapping(String),
    /// The service closed a connection that was kept open from a call before, just when it was used again: no one knows
    /// whether it has seen the call. Connections are not kept any more, and the test may be run again.
    #[error("a connection that was kept open broke: {0}")]
    Stale(String),
    /// The solver is broken.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// Someone asked to stop.
    #[error("interrupted")]
    Cancelled,
}

/// Who is heard while a test runs, and who hears of it.
#[derive(Clone, Copy)]
pub struct Audience<'a> {
    /// Ends the test when it becomes true.
    pub cancel: &'a AtomicBool,
    /// Is told of each message.
    pub seen: &'a dyn Fn(&ConcreteMessage, &Terms),
}

/// Runs one test until its verdict; never waits longer than the driver says.
pub fn turn<'s>(
    mut driver: Driver<'s>,
    abandoned: &mut Vec<AbandonedConversation<'s>>,
    wire: &mut Wire,
    codec: &mut dyn Codec,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    audience: Audience<'_>,
) -> Result<RunResult, RunError> {
    wire.begin();
    let start = Instant::now();
    let began = milliseconds_since_1970();
    let mut test = Test::new(audience.seen);
    let mut later = None;
    let result = loop {
        if audience.cancel.load(Ordering::Relaxed) {
            break Err(RunError::Cancelled);
        }
        let action = match driver.next(moment(start, Instant::now()), terms, solver) {
            Ok(action) => action,
            Err(error) => break Err(error.into()),
        };
        let done = match action {
            DriverAction::Stop => break Ok(()),
            DriverAction::Send(message) => {
                if let Some(reason) = codec.doubt(&message, terms) {
                    driver.doubt(&reason);
                }
                if codec.is_reply(&message) {
                    driver.unacknowledged(message.operation);
                }
                driver.sending(moment(start, Instant::now()));
                (audience.seen)(&message, terms);
                // A copy of a call whose answer comes over its connection may get that answer.
                let is_copied = wire.copies(&message) && !driver.is_open(message.operation);
                test.send(message, is_copied, wire, codec, terms)
            }
            DriverAction::Listen(until) => {
                let until = start + Duration::from_micros(until);
                let nap = until.min(Instant::now() + NAP);
                match later.take().or_else(|| wire.next(nap)) {
                    // It came when the time was over: who listened to all that waits there would never be done with a
                    // service that does not stop talking.
                    Some((at, event)) if at > until => {
                        later = Some((at, event));
                        driver
                            .elapsed(moment(start, until), terms, solver)
                            .map_err(RunError::from)
                    }
                    Some((at, event)) => {
                        let at = moment(start, at);
                        test.take(
                            event,
                            at,
                            &mut driver,
                            abandoned,
                            wire,
                            codec,
                            terms,
                            solver,
                        )
                    }
                    None if nap < until => Ok(()),
                    None => driver
                        .elapsed(moment(start, Instant::now()), terms, solver)
                        .map_err(RunError::from),
                }
            }
        };
        if let Err(broken) = done {
            break Err(broken);
        }
    };
    let (is_disturbed, strays) = (test.is_disturbed, test.strays);
    let mut late = test.strange;
    late.extend(later.map(|(_, event)| event.text()));
    late.append(&mut wire.end());
    // Only who is called can take the calls of one conversation for those of another.
    if wire.is_called() {
        abandoned.extend(
            driver
                .leftover()
                .map(|leftover| AbandonedConversation { start, leftover }),
        );
    }
    result.map(|()| RunResult {
        outcome: driver.outcome(),
        late,
        began,
        took: start.elapsed(),
        is_disturbed,
        strays,
    })
}

fn moment(start: Instant, at: Instant) -> Moment {
    at.saturating_duration_since(start).as_micros() as Moment
}

/// What a test has open on the wire.
struct Test<'a> {
    /// Is told of each message of the service.
    seen: &'a dyn Fn(&ConcreteMessage, &Terms),
    /// Our requests, by number.
    calls: Vec<(u64, ConcreteMessage)>,
    /// Requests of the service that wait for an answer of ours.
    tickets: Vec<(u64, ConcreteMessage)>,
    /// Whether the service has answered anything, or called.
    is_alive: bool,
    /// What belongs to conversations of tests before.
    strange: Vec<String>,
    /// Whether something may belong to one of them, or not.
    is_disturbed: bool,
    /// What no branch allows while a test before that failed may still continue.
    strays: Vec<String>,
}

impl<'a> Test<'a> {
    fn new(seen: &'a dyn Fn(&ConcreteMessage, &Terms)) -> Test<'a> {
        Test {
            seen,
            calls: Vec::new(),
            tickets: Vec::new(),
            is_alive: false,
            strange: Vec::new(),
            is_disturbed: false,
            strays: Vec::new(),
        }
    }

    fn send(
        &mut self,
        message: ConcreteMessage,
        is_copied: bool,
        wire: &mut Wire,
        codec: &mut dyn Codec,
        terms: &mut Terms,
    ) -> Result<(), RunError> {
        if codec.is_reply(&message) {
            let position = self.tickets.iter().position(|(_, call)| {
                call.to == message.from && codec.answers(call.operation, message.operation)
            });
            let reply = codec.reply(&message, terms).map_err(RunError::Mapping)?;
            // Without an open call there is no one to tell: the service went away, and its silence will say so.
            if let Some(position) = position {
                let (ticket, _) = self.tickets.remove(position);
                wire.reply(ticket, reply);
            }
            return Ok(());
        }
        let outgoing = codec.request(&message, terms).map_err(RunError::Mapping)?;
        let call = wire.send(outgoing, is_copied).map_err(RunError::Mapping)?;
        self.calls.push((call, message));
        Ok(())
    }

    #[allow(
        clippy::too_many_arguments,
        reason = "the parts of a run, all of them needed"
    )]
    fn take(
        &mut self,
        event: Event,
        at: Moment,
        driver: &mut Driver<'_>,
        abandoned: &mut [AbandonedConversation<'_>],
        wire: &mut Wire,
        codec: &mut dyn Codec,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<(), RunError> {
        match event {
            Event::Stale { call, reason } => {
                self.close(call);
                return Err(RunError::Stale(reason));
            }
            Event::Unreachable { call, reason } => match self.close(call) {
                Some(_) if !self.is_alive => return Err(RunError::Unreachable(reason)),
                Some(message) => {
                    driver.refused(message.operation, &reason, at, terms, solver)?;
                }
                None => {}
            },
            Event::Broken { call, reason } => {
                self.is_alive = true;
                if let Some(message) = self.close(call) {
                    driver.refused(message.operation, &reason, at, terms, solver)?;
                }
            }
            Event::Answered { call, reply } => {
                self.is_alive = true;
                let Some(message) = self.close(call) else {
                    // An answer to a test before: it was too late for that one, and is nothing to this.
                    return Ok(());
                };
                let answer = reply
                    .map_err(DecodeError::Wrong)
                    .and_then(|reply| codec.answer(&message, &reply, terms));
                match answer {
                    Ok(Response::Message(seen)) => {
                        (self.seen)(&seen, terms);
                        // An answer with a name of its own says that the call was taken; without it the driver would
                        // wait in vain to hear so.
                        if seen.operation != message.operation {
                            driver.arrived(message.operation, at);
                        }
                        driver.observe(seen, at, terms, solver)?;
                    }
                    Ok(Response::Taken) => driver.arrived(message.operation, at),
                    Ok(Response::Refused(reason)) => {
                        driver.refused(message.operation, &brief(&reason), at, terms, solver)?;
                    }
                    Err(DecodeError::Wrong(reason)) => driver.malformed(&brief(&reason), at, terms),
                    Err(DecodeError::Unclear(reason)) => driver.unclear(&reason, at),
                }
            }
            Event::Offered { ticket, incoming } => {
                if !codec.is_call(&incoming) {
                    wire.dismiss(ticket, turned_away());
                    return Ok(());
                }
                // An error on the way to an answer must not leave the others waiting.
                let vote = match codec.call(&incoming, terms) {
                    Ok(call) => driver.claims(&call.message, at, terms, solver),
                    Err(_) => Ok(Ownership::No),
                };
                wire.vote(
                    ticket,
                    match &vote {
                        Ok(Ownership::Yes) => Vote::Yes,
                        Ok(Ownership::No) => Vote::No,
                        Ok(Ownership::Unknown) | Err(_) => Vote::Unknown,
                    },
                );
                vote?;
            }
            Event::Disputed { reason } => driver.give_up(&reason),
            Event::Called { ticket, incoming } => {
                self.is_alive = true;
                if incoming.as_ref().is_ok_and(|it| !codec.is_call(it)) {
                    wire.reply(ticket, turned_away());
                    return Ok(());
                }
                let call = incoming
                    .map_err(DecodeError::Wrong)
                    .and_then(|incoming| codec.call(&incoming, terms));
                match call {
                    Ok(call) => {
                        let message = &call.message;
                        if self.is_strange(message, at, driver, abandoned, terms, solver)? {
                            wire.reply(ticket, if call.awaits_answer { over() } else { taken() });
                            return Ok(());
                        }
                        if call.awaits_answer {
                            // The service waits for the tester now, and may answer the tester's own calls only
                            // after that: who waited for it would wait in vain.
                            for (_, ours) in &self.calls {
                                driver.unacknowledged(ours.operation);
                            }
                            self.tickets.push((ticket, call.message.clone()));
                        } else {
                            wire.reply(ticket, taken());
                        }
                        (self.seen)(&call.message, terms);
                        driver.observe(call.message, at, terms, solver)?;
                    }
                    Err(DecodeError::Wrong(reason)) => {
                        let reason = brief(&reason);
                        wire.reply(ticket, nonsense(&reason));
                        if abandoned.iter().any(AbandonedConversation::has_failed) {
                            self.stray(&format!("a call ({reason})"), driver)
                        } else {
                            driver.malformed(&reason, at, terms)
                        }
                    }
                    Err(DecodeError::Unclear(reason)) => {
                        wire.reply(ticket, nonsense(&reason));
                        driver.unclear(&reason, at);
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether a call of the service belongs to a conversation of a test before; where no one can say, the driver is
    /// told so.
    fn is_strange(
        &mut self,
        message: &ConcreteMessage,
        at: Moment,
        driver: &mut Driver<'_>,
        abandoned: &mut [AbandonedConversation<'_>],
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<bool, RunError> {
        let text = message.text(terms);
        let has_failed = abandoned.iter().any(AbandonedConversation::has_failed);
        for one in abandoned.iter_mut().filter(|one| !one.has_failed()) {
            let now = moment(one.start, Instant::now());
            if !one.leftover.may_say(message, now, terms, solver)? {
                continue;
            }
            if driver.may_say(message, at, terms, solver)? {
                self.is_disturbed = true;
                driver.doubt(&format!(
                    "{text} may belong to the conversation of a test before, which did not end"
                ));
                return Ok(false);
            }
            one.leftover.said(message, now, terms, solver)?;
            self.strange.push(format!(
                "{text} belongs to the conversation of a test before, which did not end"
            ));
            return Ok(true);
        }
        if has_failed && !driver.may_say(message, at, terms, solver)? {
            self.stray(&text, driver);
            return Ok(true);
        }
        Ok(false)
    }

    /// Something that no branch allows may be left over from a test that failed: no one is blamed for it now.
    fn stray(&mut self, what: &str, driver: &mut Driver<'_>) {
        driver.doubt(&format!(
            "{what} may be left over from a test before, which failed"
        ));
        self.strays.push(what.to_owned());
    }

    fn close(&mut self, call: u64) -> Option<ConcreteMessage> {
        let position = self.calls.iter().position(|(number, _)| *number == call)?;
        Some(self.calls.remove(position).1)
    }
}

/// A reason that quotes what came, however long that is.
fn brief(reason: &str) -> String {
    match reason.char_indices().nth(MAX_REASON_LENGTH) {
        Some((cut, _)) => format!("{}…", &reason[..cut]),
        None => reason.to_owned(),
    }
}

/// This many characters are enough to find the place.
const MAX_REASON_LENGTH: usize = 300;

fn taken() -> Reply {
    Reply {
        status: 202,
        content_type: None,
        body: Vec::new(),
        headers: Vec::new(),
        remark: None,
    }
}

fn turned_away() -> Reply {
    Reply {
        status: 405,
        content_type: Some("text/plain".to_owned()),
        body: b"choros drive: this partner only takes calls\n".to_vec(),
        headers: Vec::new(),
        remark: None,
    }
}

fn over() -> Reply {
    Reply {
        status: 503,
        content_type: Some("text/plain".to_owned()),
        body: b"choros drive: the test is over\n".to_vec(),
        headers: Vec::new(),
        remark: None,
    }
}

fn nonsense(reason: &str) -> Reply {
    Reply {
        status: 400,
        content_type: Some("text/plain; charset=utf-8".to_owned()),
        body: format!("choros drive: {reason}\n").into_bytes(),
        headers: Vec::new(),
        remark: None,
    }
}

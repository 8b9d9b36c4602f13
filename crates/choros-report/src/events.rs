//! What happens during a run, told while it happens: a terminal draws it, a page streams it, a worker counts it.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};

use choros_base::{Diagnostic, Measure, Meter, SourceMap};
use choros_data::Terms;

use crate::answers::{Present, RunNotes};
use crate::{NamedResult, Report, Semantics, VerdictKind};

/// Something that happened.
///
/// A listener that keeps them has, at every moment, a report of what is known so far.
#[derive(Debug, Clone)]
pub enum Event {
    /// What is done from now on.
    Doing(String),
    /// Someone may connect: where, and what for.
    Listening(String),
    /// More texts were read; the findings that follow point into them.
    Read(SourceMap),
    /// Something is wrong with the input, or worth knowing about it.
    Found(Diagnostic),
    /// A question was answered.
    Answered(Box<NamedResult>),
    /// A window of a property was decided.
    Decided(Box<DecidedWindow>),
    /// A message was seen on its way.
    Message(Box<LiveMessage>),
    /// Under which rules the answers hold, as far as that is known.
    Rules(Box<Semantics>),
}

/// A window of a property, as soon as it was decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecidedWindow {
    /// By its name.
    pub property: String,
    /// The service whose log it is in.
    pub service: String,
    /// Whether it passed, failed, or the log ended within it.
    pub word: VerdictKind,
    /// The line of the record that opened it.
    pub opened: u64,
    /// The line of the record that decided it.
    pub decided: u64,
}

/// A message that was just seen, for drawing what happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveMessage {
    /// The test or the session that it belongs to; empty if that is not known.
    pub part: String,
    pub from: String,
    pub to: String,
    pub operation: String,
    /// Its values as text.
    pub values: String,
    /// How many messages before it were not reported, because there was no room for them.
    pub left_out: u64,
}

/// Room for messages: no one can look at a million of them in a second.
#[derive(Debug, Default)]
pub struct MessageRoom {
    free: AtomicU64,
    left_out: AtomicU64,
}

impl MessageRoom {
    /// Makes room for so many, however much there was before.
    pub fn clear(&self, messages: u64) {
        self.free.store(messages, Ordering::Relaxed);
    }

    /// Takes a place if there is one: how many found none before.
    fn take(&self) -> Option<u64> {
        let free = |free: u64| free.checked_sub(1);
        let taken = self
            .free
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, free);
        if taken.is_ok() {
            return Some(self.left_out.swap(0, Ordering::Relaxed));
        }
        self.left_out.fetch_add(1, Ordering::Relaxed);
        None
    }
}

/// Where events are sent to; nowhere unless someone listens.
#[derive(Clone, Default)]
pub struct Events {
    listener: Option<Arc<dyn Fn(Event) + Send + Sync>>,
    meter: Arc<Meter>,
    /// For messages; nothing is made of them where no one draws them.
    room: Option<Arc<MessageRoom>>,
    told: Arc<Mutex<Told>>,
}

/// How much of a run that only ever grows was told.
#[derive(Default)]
struct Told {
    answers: usize,
    findings: usize,
    texts: usize,
}

impl Events {
    /// Events for a function, which is called where they happen and must not take long.
    pub fn to(listener: impl Fn(Event) + Send + Sync + 'static) -> Events {
        Events {
            listener: Some(Arc::new(listener)),
            ..Events::default()
        }
    }

    /// Events on a channel; they go nowhere once the receiver is gone.
    pub fn channel() -> (Events, Receiver<Event>) {
        let (sender, receiver) = channel();
        let events = Events::to(move |event| {
            let _ = sender.send(event);
        });
        (events, receiver)
    }

    /// The same with messages, as far as there is room for them.
    #[must_use]
    pub fn with_messages(self, room: Arc<MessageRoom>) -> Events {
        Events {
            room: Some(room),
            ..self
        }
    }

    /// The same without findings and answers: those of a part of a run, which the whole tells by other names.
    #[must_use]
    pub fn of_a_part(&self) -> Events {
        let whole = self.clone();
        Events {
            meter: self.meter.clone(),
            room: self.room.clone(),
            ..Events::to(move |event| match event {
                Event::Doing(_) | Event::Listening(_) | Event::Message(_) => whole.send(event),
                Event::Read(_)
                | Event::Found(_)
                | Event::Answered(_)
                | Event::Decided(_)
                | Event::Rules(_) => {}
            })
        }
    }

    /// Says what is done from now on.
    pub fn doing(&self, what: impl Into<String>) {
        self.meter.begin("", 0);
        self.send(Event::Doing(what.into()));
    }

    /// Says where someone may connect.
    pub fn listening(&self, line: impl Into<String>) {
        self.send(Event::Listening(line.into()));
    }

    /// Tells what a report has that was not told before.
    pub fn report(&self, report: &Report, sources: &SourceMap) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let answers = report.outcomes.get(told.answers..).unwrap_or_default();
        told.answers += answers.len();
        self.beside(&mut told, &report.diagnostics, &report.semantics, sources);
        for answer in answers {
            self.send(Event::Answered(Box::new(answer.clone())));
        }
    }

    /// Tells one more answer of a run, and what belongs to it.
    pub fn answer(&self, answer: impl Present, run: &RunNotes, terms: &Terms, sources: &SourceMap) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let mut report = Report::default();
        answer.show(terms, &mut report);
        run.silence.settle(&mut report.outcomes);
        told.answers += report.outcomes.len();
        self.beside(&mut told, &run.findings, &run.semantics, sources);
        for answer in report.outcomes {
            self.send(Event::Answered(Box::new(answer)));
        }
    }

    /// Tells one more result of a run.
    pub fn result(&self, result: NamedResult) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.answers += 1;
        self.send(Event::Answered(Box::new(result)));
    }

    /// Tells that a window of a property was decided; there may be many, so nothing is made where no one listens.
    pub fn decided(&self, window: impl FnOnce() -> DecidedWindow) {
        if let Some(listener) = &self.listener {
            listener(Event::Decided(Box::new(window())));
        }
    }

    /// Tells of a message, if someone draws them and there is room for one more.
    pub fn message(&self, message: impl FnOnce() -> LiveMessage) {
        if let Some(left_out) = self.room.as_ref().and_then(|room| room.take()) {
            let message = LiveMessage {
                left_out,
                ..message()
            };
            self.send(Event::Message(Box::new(message)));
        }
    }

    /// What counts the steps of engines: too many for an event each.
    pub fn meter(&self) -> Arc<Meter> {
        self.meter.clone()
    }

    /// How far the work is that is being done.
    pub fn measure(&self) -> Measure {
        self.meter.read()
    }

    /// Tells what belongs to answers.
    fn beside(
        &self,
        told: &mut Told,
        findings: &[Diagnostic],
        rules: &Semantics,
        sources: &SourceMap,
    ) {
        let texts = sources.files().count();
        if told.texts != texts {
            told.texts = texts;
            self.send(Event::Read(sources.clone()));
        }
        let findings = findings.get(told.findings..).unwrap_or_default();
        told.findings += findings.len();
        for finding in findings {
            self.send(Event::Found(finding.clone()));
        }
        self.send(Event::Rules(Box::new(rules.clone())));
    }

    fn send(&self, event: Event) {
        if let Some(listener) = &self.listener {
            listener(event);
        }
    }
}

impl fmt::Debug for Events {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whether = match self.listener {
            Some(_) => "heard",
            None => "not heard",
        };
        f.debug_tuple("Events").field(&whether).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(number: usize) -> LiveMessage {
        LiveMessage {
            part: String::new(),
            from: "a".to_owned(),
            to: "b".to_owned(),
            operation: format!("m{number}"),
            values: String::new(),
            left_out: 0,
        }
    }

    #[test]
    fn messages_are_told_as_far_as_there_is_room() {
        let (events, heard) = Events::channel();
        events.message(|| unreachable!("no one draws messages"));
        let room = Arc::new(MessageRoom::default());
        let events = events.with_messages(room.clone());
        for number in 0..5 {
            if number % 3 == 0 {
                room.clear(1);
            }
            events.message(|| message(number));
        }
        let told: Vec<(String, u64)> = heard
            .try_iter()
            .map(|event| match event {
                Event::Message(it) => (it.operation, it.left_out),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(told, [("m0".to_owned(), 0), ("m3".to_owned(), 2)]);
    }
}

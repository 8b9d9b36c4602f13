//! What is known of a run before it has ended.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use choros::base::SourceMap;
use choros::report::Report;
use choros::{Event, Events};

use crate::listener::Listener;

/// What is known before a run has ended: for those who wait for it, or have to end it.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    /// What is being done; empty before anything is.
    pub(crate) doing: String,
    /// Answers and findings.
    pub(crate) report: Report,
    /// The texts that they speak of.
    pub(crate) sources: SourceMap,
}

/// The same for several threads.
#[derive(Debug, Clone, Default)]
pub(crate) struct SharedProgress(Arc<Mutex<Progress>>);

impl SharedProgress {
    /// Events that are kept here; where someone may connect is said at once.
    pub(crate) fn events(
        &self,
        listener: Option<Listener>,
        say: impl Fn(&str) + Send + Sync + 'static,
    ) -> Events {
        let progress = self.clone();
        let room = listener.as_ref().map(Listener::room);
        let events = Events::to(move |event| {
            if let Some(listener) = &listener {
                listener.happened(&event, &progress.lock().sources);
            }
            match event {
                Event::Listening(line) if listener.is_none() => say(&line),
                event => progress.lock().keep(event),
            }
        });
        match room {
            Some(room) => events.with_messages(room),
            None => events,
        }
    }

    /// What is known.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Progress> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Progress {
    fn keep(&mut self, event: Event) {
        match event {
            Event::Doing(what) => self.doing = what,
            Event::Listening(_) | Event::Decided(_) | Event::Message(_) => {}
            Event::Read(sources) => self.sources = sources,
            Event::Found(finding) => self.report.diagnostics.push(finding),
            Event::Answered(answer) => self.report.outcomes.push(*answer),
            Event::Rules(semantics) => self.report.semantics = *semantics,
        }
    }
}

//! A page that started this run and listens to it.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use choros::base::{Measure, SourceMap};
use choros::report::{Report, event_json, finished_json, printed_json, progress_json};
use choros::{Event, MessageRoom, Secrets};

use crate::watchdog::{Cause, Watchdog};

/// Set by programs that want to hear what happens as lines of JSON on standard output.
const VARIABLE: &str = "CHOROS_EVENTS";

/// Hears what happens.
#[derive(Clone)]
pub(crate) struct Listener {
    secrets: Secrets,
    room: Arc<MessageRoom>,
}

/// No one follows more messages than this between two beats.
const MESSAGES: u64 = 50;

impl Listener {
    /// The program that started the run, if it wants to hear of it; once they close standard input, the run is stopped.
    pub(crate) fn from_environment(
        secrets: &Secrets,
        cancel: &Arc<AtomicBool>,
        watchdog: &Watchdog,
    ) -> Option<Listener> {
        std::env::var_os(VARIABLE)?;
        let (cancel, watchdog) = (cancel.clone(), watchdog.clone());
        std::thread::spawn(move || {
            let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
            watchdog.note(Cause::Interrupt);
            cancel.store(true, Ordering::Relaxed);
        });
        let room = Arc::new(MessageRoom::default());
        room.clear(MESSAGES);
        Some(Listener {
            secrets: secrets.clone(),
            room,
        })
    }

    /// Where messages take their places.
    pub(crate) fn room(&self) -> Arc<MessageRoom> {
        self.room.clone()
    }

    pub(crate) fn happened(&self, event: &Event, sources: &SourceMap) {
        if let Some(line) = event_json(event, sources) {
            self.say(&line);
        }
    }

    /// A beat: how far the work is.
    pub(crate) fn measured(&self, measure: Measure) {
        self.room.clear(MESSAGES);
        if measure.done > 0 {
            self.say(&progress_json(measure));
        }
    }

    pub(crate) fn printed(&self, text: &str) {
        self.say(&printed_json(text));
    }

    pub(crate) fn finished(&self, report: &Report, sources: &SourceMap) {
        self.say(&finished_json(report, sources));
    }

    /// No one may listen any more, which is no error.
    fn say(&self, line: &str) {
        let mut out = std::io::stdout().lock();
        let line = self.secrets.masked(line);
        let _ = writeln!(out, "{line}").and_then(|()| out.flush());
    }
}

//! What a run is doing right now, and what it has found so far, for whoever waits for it or ends it.

use std::sync::{Arc, Mutex, PoisonError};

use choros_base::{Measure, Meter, SourceMap};
use choros_report::Report;

/// A sign that a verb changes and a shell reads, from another thread.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    now: Arc<Mutex<String>>,
    meter: Arc<Meter>,
    found: Arc<Mutex<(Report, SourceMap)>>,
}

impl Progress {
    /// Says what is being done.
    pub fn show(&self, what: impl Into<String>) {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) = what.into();
        self.meter.begin("", 0);
    }

    /// What is being done; empty before anything is.
    pub fn now(&self) -> String {
        self.now
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// How far it is.
    pub fn measure(&self) -> Measure {
        self.meter.read()
    }

    /// Keeps what a report has so far, so that it is not lost where the run cannot be asked to stop.
    ///
    /// Answers and findings are only ever added to a report, so that what is kept already is not copied again.
    pub(crate) fn keep(&self, report: &Report, sources: &SourceMap) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let (kept, texts) = &mut *found;
        let known = kept.outcomes.len().min(report.outcomes.len());
        kept.outcomes.extend_from_slice(&report.outcomes[known..]);
        let known = kept.diagnostics.len().min(report.diagnostics.len());
        kept.diagnostics
            .extend_from_slice(&report.diagnostics[known..]);
        kept.semantics = report.semantics.clone();
        if texts.files().count() != sources.files().count() {
            *texts = sources.clone();
        }
    }

    /// What was kept, and the texts that it speaks of.
    pub fn found(&self) -> (Report, SourceMap) {
        self.found
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// What counts the steps of engines.
    pub(crate) fn meter(&self) -> Arc<Meter> {
        self.meter.clone()
    }
}

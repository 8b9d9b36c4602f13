//! What a run is doing right now, and what it has found so far, for whoever waits for it or ends it.

use std::sync::{Arc, Mutex, PoisonError};

use choros_base::{Diagnostic, Measure, Meter, SourceMap};
use choros_data::Terms;
use choros_report::answers::{Present, Run};
use choros_report::{Report, Semantics};

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
        let kept = &mut found.0;
        let known = kept.outcomes.len().min(report.outcomes.len());
        kept.outcomes.extend_from_slice(&report.outcomes[known..]);
        keep_beside(&mut found, &report.diagnostics, &report.semantics, sources);
    }

    /// Keeps one more answer of a run, for the same reason.
    pub(crate) fn keep_answer(
        &self,
        answer: impl Present,
        run: &Run,
        terms: &Terms,
        sources: &SourceMap,
    ) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        answer.show(terms, &mut found.0);
        keep_beside(&mut found, &run.findings, &run.semantics, sources);
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

/// Keeps what belongs to answers.
fn keep_beside(
    (kept, texts): &mut (Report, SourceMap),
    findings: &[Diagnostic],
    semantics: &Semantics,
    sources: &SourceMap,
) {
    let known = kept.diagnostics.len().min(findings.len());
    kept.diagnostics.extend_from_slice(&findings[known..]);
    kept.semantics = semantics.clone();
    if texts.files().count() != sources.files().count() {
        *texts = sources.clone();
    }
}

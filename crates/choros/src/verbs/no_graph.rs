//! Answers of parts of a run that still goes into a report.

use choros_report::Report;
use choros_report::answers::{Run, Stop};

/// Puts what was found on the way to an answer into a report, which says why there is none.
pub(super) fn into_report<T>(
    report: &mut Report,
    ask: impl FnOnce(&mut Run) -> Result<T, Stop>,
) -> Option<T> {
    let mut run = Run::default();
    let answer = ask(&mut run);
    report.diagnostics.append(&mut run.findings);
    report.semantics.absorb(run.semantics);
    answer.map_err(|stop| stop.show(report)).ok()
}

//! What is raised where there is no answer.

use choros::Workspace;
use choros::base::{Diagnostic, Severity};
use choros::report::{Report, diagnostics_text};
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

use crate::answers::PLAIN;
use crate::finding::Finding;

create_exception!(
    choros,
    Error,
    PyException,
    "There is no answer: a file cannot be read, or no solver was found."
);
create_exception!(
    choros,
    Mistakes,
    Error,
    "What was given is wrong; `findings` says where and why."
);

/// A report that has no answer is raised.
pub(crate) fn raise_failure(
    py: Python<'_>,
    report: &Report,
    workspace: &Workspace<'_>,
) -> PyResult<()> {
    if let Some(failure) = &report.world_failed {
        return Err(Error::new_err(failure.clone()));
    }
    if has_errors(&report.diagnostics) {
        return Err(mistakes(py, &report.diagnostics, workspace));
    }
    let rejected = report.outcomes.iter().find_map(|it| it.rejected.as_ref());
    match rejected {
        Some(rejection) => Err(Mistakes::new_err(rejection.message.clone())),
        None => Ok(()),
    }
}

/// Findings as an exception.
pub(crate) fn mistakes(py: Python<'_>, found: &[Diagnostic], workspace: &Workspace<'_>) -> PyErr {
    let text = diagnostics_text(found, &workspace.sources, &PLAIN);
    let error = Mistakes::new_err(text.trim_end().to_owned());
    let findings: Vec<Finding> = found
        .iter()
        .map(|it| Finding::of(it, &workspace.sources))
        .collect();
    match error.value(py).setattr("findings", findings) {
        Ok(()) => error,
        Err(other) => other,
    }
}

fn has_errors(found: &[Diagnostic]) -> bool {
    found.iter().any(|it| it.severity == Severity::Error)
}

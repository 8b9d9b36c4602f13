//! Something that was found in a text.

use choros::base::{Diagnostic, Severity, SourceMap};
use pyo3::prelude::*;

/// A mistake, a warning or a remark, and where it is.
#[pyclass(frozen, get_all, module = "choros")]
#[derive(Clone)]
pub(crate) struct Finding {
    /// The code, such as `CH0301`: `choros explain CH0301` says more.
    code: String,
    /// `error`, `warning` or `information`.
    severity: String,
    message: String,
    notes: Vec<String>,
    path: Option<String>,
    /// From 1.
    line: Option<u32>,
    /// From 1.
    column: Option<u32>,
}

impl Finding {
    pub(crate) fn of(found: &Diagnostic, sources: &SourceMap) -> Finding {
        let place = found.labels.first().map(|label| label.span);
        let at = place.map(|span| sources.line_column(span.start()));
        Finding {
            code: found.code.code.to_owned(),
            severity: match found.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Information => "information",
            }
            .to_owned(),
            message: found.message.clone(),
            notes: found.notes.clone(),
            path: place.map(|span| sources.file(span.file()).name().to_owned()),
            line: at.map(|(line, _)| line),
            column: at.map(|(_, column)| column),
        }
    }
}

#[pymethods]
impl Finding {
    fn __repr__(&self) -> String {
        let place = match (&self.path, self.line) {
            (Some(path), Some(line)) => format!("{path}:{line}: "),
            _ => String::new(),
        };
        format!("<{} {place}{}>", self.code, self.message)
    }
}

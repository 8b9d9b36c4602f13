//! What happened, step by step?

use choros_base::{Diagnostic, Span};
use choros_report::{SavedReport, read_report};

use crate::Project;
use crate::diagnostics::{not_a_report, unreadable};

/// Reads a saved report; what is wrong with the file is told by the diagnostics.
pub fn replay(project: &mut Project<'_>, path: &str) -> Result<SavedReport, Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    load(project, path, &mut diagnostics).ok_or(diagnostics)
}

pub(super) fn load(
    project: &mut Project<'_>,
    path: &str,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<SavedReport> {
    let text = match project.from.read(path) {
        Ok(text) => text,
        Err(error) => {
            diagnostics.push(unreadable::diagnostic(&error));
            return None;
        }
    };
    let file = project.sources.add(path.to_owned(), text.clone());
    match read_report(&text) {
        Ok(report) => Some(report),
        Err(error) => {
            // Readers refuse texts whose offsets need more than 32 bits.
            let offset = error.offset as u32;
            let place = Span::new(file, offset, offset);
            diagnostics.push(not_a_report::diagnostic(path, &error.reason, place));
            None
        }
    }
}

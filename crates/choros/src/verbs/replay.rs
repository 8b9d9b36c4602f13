//! What happened, step by step?

use choros_base::{Diagnostic, Span};
use choros_report::{SavedReport, read_report};

use crate::Workspace;
use crate::diagnostics::{not_a_report, unreadable};

/// Reads a saved report; the diagnostics say what is wrong with the file.
pub fn replay(workspace: &mut Workspace<'_>, path: &str) -> Result<SavedReport, Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    load(workspace, path, &mut diagnostics).ok_or(diagnostics)
}

pub(super) fn load(
    workspace: &mut Workspace<'_>,
    path: &str,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<SavedReport> {
    let (file, text) = match workspace.source(path) {
        Ok(read) => read,
        Err(error) => {
            diagnostics.push(unreadable::diagnostic(&error));
            return None;
        }
    };
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

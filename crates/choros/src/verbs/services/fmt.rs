//! The one form of a term.

use choros_base::{Diagnostic, FileId, has_errors};
use choros_cows::syntax::{parse, print};

/// The text in its form, or what is wrong with it.
pub(in crate::verbs) fn format(file: FileId, text: &str) -> Result<String, Vec<Diagnostic>> {
    let (specification, diagnostics) = parse(file, text);
    match has_errors(&diagnostics) {
        true => Err(diagnostics),
        false => Ok(print(&specification)),
    }
}

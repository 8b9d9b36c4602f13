//! Why a text could not be brought into its standard layout.

use crate::Diagnostic;

/// Why a file was not formatted.
#[derive(Debug)]
pub enum NotFormatted {
    /// It does not parse, so what it says is not certain.
    Mistakes(Vec<Diagnostic>),
    /// What was printed does not read as what was written: a mistake of ours, and the file must stay as it is.
    Unfaithful,
}

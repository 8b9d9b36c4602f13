//! The command line, as a function.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs a command line, the name of the program first, and returns its exit code.
///
/// It prints and reads files as the command does, and handles interrupts: meant for the script `choros` alone.
#[pyfunction]
pub(crate) fn run(python: Python<'_>, arguments: Vec<OsString>) -> u8 {
    python.detach(|| choros_cli::run(arguments).code())
}

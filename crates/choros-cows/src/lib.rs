#![doc = include_str!("../README.md")]

mod diagnostics;
mod expand;
pub mod runs;
mod semantics;
mod stepper;
pub mod syntax;

pub use diagnostics::CODES;
pub use expand::expand;
pub use semantics::Program;
pub use semantics::system::{CowsLts, Options, StateResidue, StepDetails};
pub use stepper::Stepper;

use choros_base::{Diagnostic, FileId, has_errors};
use syntax::Specification;

/// Reads a file: the specification as far as it could be read, the term to execute if there are no mistakes, and what
/// was found.
pub fn read(file: FileId, text: &str) -> (Specification, Option<Program>, Vec<Diagnostic>) {
    let (specification, mut diagnostics) = syntax::parse(file, text);
    let (program, mut found) = expand(&specification);
    // What follows from a part that could not be read is not a mistake of its own.
    if has_errors(&diagnostics) {
        return (specification, None, diagnostics);
    }
    diagnostics.append(&mut found);
    (specification, program, diagnostics)
}

//! The solvers of this machine.
//!
//! A missing one is skipped with a note, or fails the test where `CHOROS_REQUIRE_SOLVERS` says that all must be there.

#![allow(clippy::print_stderr, dead_code)]

use choros_smt::{Backend, Candidate, Dialect, Places, SolverError};

/// Opens a new instance.
pub(crate) type Open = Box<dyn FnMut() -> Box<dyn Backend>>;

/// Z3 as a library, from where the tool would take it.
pub(crate) fn in_process() -> Option<Open> {
    first("a Z3 library", |candidate| {
        matches!(candidate, Candidate::Library(_))
    })
}

/// The executable `z3`.
pub(crate) fn z3() -> Option<Open> {
    first("the executable z3", |candidate| {
        matches!(candidate, Candidate::Program(_, Dialect::Z3))
    })
}

/// The executable `cvc5`.
pub(crate) fn cvc5() -> Option<Open> {
    first("the executable cvc5", |candidate| {
        matches!(candidate, Candidate::Program(_, Dialect::Cvc5))
    })
}

/// Every one of the three that is there.
pub(crate) fn all() -> Vec<Open> {
    [in_process(), z3(), cvc5()].into_iter().flatten().collect()
}

fn first(what: &str, wanted: impl Fn(&Candidate) -> bool) -> Option<Open> {
    let mut candidates = Places::from_environment().candidates();
    // A library named by the user must not hide the executables.
    let without = Places {
        named: None,
        ..Places::from_environment()
    };
    candidates.extend(without.candidates());
    let found = candidates
        .into_iter()
        .filter(|candidate| wanted(candidate))
        .find(|candidate| candidate.open().is_ok());
    match found {
        Some(candidate) => Some(Box::new(move || {
            let opened: Result<_, SolverError> = candidate.open();
            opened.expect("it opened before")
        })),
        None if std::env::var_os("CHOROS_REQUIRE_SOLVERS").is_some() => {
            panic!("{what} is not there, and CHOROS_REQUIRE_SOLVERS is set");
        }
        None => {
            note(&format!("skipped: {what} is not there"));
            None
        }
    }
}

/// Says what a test did not do.
pub(crate) fn note(text: &str) {
    eprintln!("{text}");
}

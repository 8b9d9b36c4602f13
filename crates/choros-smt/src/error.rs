//! What can go wrong with a solver, as opposed to what a solver may answer.

use std::path::PathBuf;

/// The world is broken: no answer can be had, not even *unknown*.
#[derive(Debug, thiserror::Error)]
pub enum SolverError {
    /// Nothing was found in any of the places that are examined.
    #[error(
        "no solver found: install Z3 (`apt install z3 libz3-dev`, or `pip install z3-solver`), or point CHOROS_LIBZ3 \
         at a libz3"
    )]
    NotFound,
    /// A library was named or found, but it cannot be used.
    #[error("cannot use the Z3 library {}: {reason}", path.display())]
    Library {
        /// Where it lies.
        path: PathBuf,
        /// What the loader said.
        reason: String,
    },
    /// An executable could not be started.
    #[error("cannot start {program}: {source}")]
    Start {
        /// The program.
        program: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// The solver's process ended or closed its pipes.
    #[error("{solver} ended without an answer")]
    Died {
        /// Its name.
        solver: String,
    },
    /// The solver said something that makes no sense, or complained about what we sent.
    #[error("{solver}: {message}")]
    Protocol {
        /// Its name.
        solver: String,
        /// What it said.
        message: String,
    },
    /// A solver was given terms of a store that is not the one it served before.
    #[error("a solver serves one store of terms; this is another one")]
    AnotherStore,
    /// A file of recorded queries cannot be read.
    #[error("recorded queries, line {line}: {message}")]
    Recording {
        /// Where, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
}

//! What can go wrong with a solver, as opposed to what a solver may answer.

use std::fmt;
use std::path::PathBuf;

/// The world is broken: no answer can be had, not even *unknown*.
#[derive(Debug)]
pub enum SolverError {
    /// Nothing was found in any of the places that are examined.
    NotFound,
    /// A library was named or found, but it cannot be used.
    Library {
        /// Where it lies.
        path: PathBuf,
        /// What the loader said.
        reason: String,
    },
    /// An executable could not be started.
    Start {
        program: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// The solver's process ended or closed its pipes.
    Died {
        /// Its name.
        solver: String,
    },
    /// The solver said something that makes no sense, or complained about what we sent.
    Protocol {
        /// Its name.
        solver: String,
        /// What it said.
        message: String,
    },
    /// A solver was given terms of a store that is not the one it served before.
    AnotherStore,
    /// A file of recorded queries cannot be read.
    Recording {
        /// Where, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
}

impl fmt::Display for SolverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolverError::NotFound => f.write_str(
                "no solver found: install Z3 (`apt install z3 libz3-dev`, or `pip install z3-solver`), or point \
                 CHOROS_LIBZ3 at a libz3",
            ),
            SolverError::Library { path, reason } => {
                let path = path.display();
                write!(f, "cannot use the Z3 library {path}: {reason}")
            }
            SolverError::Start { program, source } => write!(f, "cannot start {program}: {source}"),
            SolverError::Died { solver } => write!(f, "{solver} ended without an answer"),
            SolverError::Protocol { solver, message } => write!(f, "{solver}: {message}"),
            SolverError::AnotherStore => {
                f.write_str("a solver serves one store of terms; this is another one")
            }
            SolverError::Recording { line, message } => {
                write!(f, "recorded queries, line {line}: {message}")
            }
        }
    }
}

impl std::error::Error for SolverError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            SolverError::Start { source, .. } => Some(source),
            _ => None,
        }
    }
}

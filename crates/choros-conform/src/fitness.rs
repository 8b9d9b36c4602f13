//! Whether two graphs can be compared at all.

use choros_base::Diagnostic;
use choros_model::stg::Stg;
use choros_smt::SolverError;

use crate::diagnostics::{mixed_views, silent_specification};

/// Why two graphs were not compared.
#[derive(Debug)]
pub enum NotCompared {
    /// They cannot be.
    Unfit(Box<Diagnostic>),
    /// There is no solver, or it broke.
    Solver(SolverError),
}

/// What keeps two graphs from being compared: silent steps that are specified, or different points of view.
pub fn unfit(implementation: &Stg, specification: &Stg) -> Option<Diagnostic> {
    silent_specification::diagnostic(specification)
        .or_else(|| mixed_views::diagnostic(implementation, specification))
}

/// Goes on if the graphs can be compared.
pub(crate) fn require_fitness(
    implementation: &Stg,
    specification: &Stg,
) -> Result<(), NotCompared> {
    match unfit(implementation, specification) {
        Some(found) => Err(NotCompared::Unfit(Box::new(found))),
        None => Ok(()),
    }
}

impl From<SolverError> for NotCompared {
    fn from(error: SolverError) -> NotCompared {
        NotCompared::Solver(error)
    }
}

impl std::fmt::Display for NotCompared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotCompared::Unfit(found) => f.write_str(&found.message),
            NotCompared::Solver(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for NotCompared {}

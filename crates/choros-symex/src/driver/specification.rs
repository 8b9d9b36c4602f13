//! What a service is measured by.

use choros_model::interface::Interface;
use choros_model::stg::Stg;

use super::clock::Timing;
use super::view::View;

/// The specification and how it is examined.
#[derive(Debug, Clone, Copy)]
pub struct Specification<'s> {
    /// The graph, as the service under test sees it.
    pub stg: &'s Stg,
    /// Its operations.
    pub interface: &'s Interface,
    /// Who plays what.
    pub view: &'s View,
    /// Time.
    pub tempo: Timing,
    /// How far unseen steps are followed.
    pub bounds: SearchBounds,
}

/// How far unseen steps are followed; beyond, nothing is a violation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchBounds {
    /// Unseen steps in a row.
    pub hidden: usize,
    /// Branches at a time.
    pub branches: usize,
    /// Outputs that are under way at a time.
    pub outbox: usize,
}

impl Default for SearchBounds {
    fn default() -> Self {
        SearchBounds {
            hidden: 200,
            branches: 1_000,
            outbox: 4,
        }
    }
}

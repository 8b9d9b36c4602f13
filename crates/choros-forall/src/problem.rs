//! Equations over sets of states, one per node.

use choros_query::socl::Quantifier;

use crate::bounds::Bounds;

/// The equations of one operator.
pub(crate) struct Problem {
    pub(crate) quantifier: Quantifier,
    pub(crate) base: Vec<Bounds>,
    pub(crate) keep: Vec<Bounds>,
    /// Of each step of each node: when it suffices, and when it may be followed.
    pub(crate) steps: Vec<Vec<(Bounds, Bounds)>>,
}

//! What every step of an analysis needs.

use choros_base::Budget;
use choros_data::Terms;
use choros_smt::Solver;

/// What every step needs.
pub(crate) struct Tools<'a> {
    pub(crate) terms: &'a mut Terms,
    pub(crate) solver: &'a mut dyn Solver,
    /// Only stops; each step has a part of it.
    pub(crate) budget: &'a Budget,
}

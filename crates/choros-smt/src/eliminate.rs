//! Our own quantifier elimination.

use choros_data::{Term, Terms};

/// What our own rules make of a formula.
pub(crate) fn own(_terms: &mut Terms, formula: Term) -> Term {
    formula
}

//! The question behind an answer.

use choros_certify::AskedFormula;
use choros_model::stg::Stg;
use choros_query::abstraction::{Abstraction, StateLabels};
use choros_query::socl::{Actions, Arity, Formula};

/// What is asked of which model.
#[derive(Clone, Copy)]
pub(crate) struct AskedOf<'a> {
    pub(crate) stg: &'a Stg,
    pub(crate) abstraction: &'a Abstraction,
    pub(crate) fair: &'a [Actions],
}

impl<'a> AskedOf<'a> {
    /// The question as the checker knows it.
    pub(crate) fn with(self, formula: &'a Formula, arity: Arity) -> AskedFormula<'a> {
        AskedFormula {
            formula,
            abstraction: self.abstraction,
            state_labels: StateLabels::Steps,
            arity,
            fair: self.fair,
        }
    }
}

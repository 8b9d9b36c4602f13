#![doc = include_str!("../README.md")]

mod attack;
mod judgements;
mod machines;
mod paths;
mod relation;
mod sides;

pub use attack::{Attack, Challenge, Position, Possible, Reply, answers, check_attack, steps};
pub use judgements::{AskedFormula, Doubt, Judgement, Judgements, check_judgements};
pub use machines::{Joint, MachineClaim, Machines, Waits};
pub use paths::{ChoiceNames, MOST_SILENT, Path, Paths, Values, Way, silent_paths};
pub use relation::{
    Certificate, Claim, RelatedPair, Undecided, bound_of, budget_of, check_certificate,
};
pub use sides::{Sides, sides};

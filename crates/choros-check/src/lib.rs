#![doc = include_str!("../README.md")]

mod abstract_labels;
mod check;
mod evaluate;
mod explain;
mod minimize;
pub mod naive;
mod proof;
mod unfolding;
mod unused_rules;
mod vacuity;

pub use abstract_labels::AbstractLabels;
pub use check::{Checked, check};
pub use evaluate::{Answered, Evaluator, Truth};
pub use explain::{
    End, Explanation, Numbering, Path, Reason, StepDetail, Taken, cmc_text, explain,
    explanation_evidence,
};
pub use minimize::{Equivalence, bisimilar, minimize};
pub use proof::judgements;
pub use unfolding::{Bounds, Halt, UnfoldedLts};
pub use unused_rules::{UnusedRule, unused_rules};

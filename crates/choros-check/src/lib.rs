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

pub use abstract_labels::AbstractLabels;
pub use check::{CheckedFormula, check, check_fair};
pub use evaluate::{Evaluation, Evaluator, FormulaValue};
pub use explain::{
    ExplainedPath, ExplainedStep, Explanation, ExplanationReason, Numbering, PathEnd, StepDetail,
    cmc_text, explain, explanation_evidence,
};
pub use minimize::{Equivalence, bisimilar, minimize};
pub use proof::judgements;
pub use unfolding::{UnfoldedLts, UnfoldingBounds, UnfoldingEnd};
pub use unused_rules::{UnusedRule, explored_alphabet, unused_rules};

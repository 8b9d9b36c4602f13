//! Abstraction rules: from what a model does to what formulas speak of.

mod activity;
mod apply;
mod format;
mod parse;
mod rule;

pub use activity::{AbstractActivity, activity};
pub use apply::{Abstraction, StateLabels};
pub use format::format_rules;
pub(crate) use format::{rule_lines, separators};
pub use parse::parse_rules;
pub(crate) use parse::rules_until;
pub use rule::{Part, Rule, RuleArgument, Subject, Template};

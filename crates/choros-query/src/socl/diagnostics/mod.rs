//! What is wrong with questions: one file per check.

pub mod data_formula;
pub(crate) mod misplaced_binder;
pub(crate) mod named_twice;
pub(crate) mod nested_too_deeply;
pub(crate) mod repeated_metavariable;
pub(crate) mod repeated_variable;
pub mod rule_never_matches;
pub(crate) mod sentence_variable;
pub mod too_many_assumptions;
pub(crate) mod unbound_metavariable;
pub(crate) mod unbound_variable;
pub(crate) mod unexpected_token;
pub(crate) mod unknown_action;
pub mod unknown_field;
pub mod unknown_pattern;
pub(crate) mod unknown_rules;
pub(crate) mod unused_rules;
pub mod vacuous_truth;

use choros_base::CodeInfo;

/// The codes of formulas and rules.
pub const CODES: &[&CodeInfo] = &[
    &unexpected_token::CODE,
    &nested_too_deeply::CODE,
    &unbound_variable::CODE,
    &misplaced_binder::CODE,
    &repeated_variable::CODE,
    &sentence_variable::CODE,
    &unbound_metavariable::CODE,
    &rule_never_matches::CODE,
    &repeated_metavariable::CODE,
    &named_twice::CODE,
    &unknown_rules::CODE,
    &unused_rules::CODE,
    &unknown_pattern::CODE,
    &vacuous_truth::CODE,
    &data_formula::CODE,
    &unknown_action::CODE,
    &unknown_field::CODE,
    &too_many_assumptions::CODE,
];

//! The findings of the reader of COWS, one file each.

pub(crate) mod argument_count;
pub(crate) mod arity_mismatch;
pub(crate) mod binder_form;
pub(crate) mod defined_twice;
pub(crate) mod free_label;
pub(crate) mod free_variable;
pub(crate) mod label_as_value;
pub(crate) mod nested_too_deeply;
pub(crate) mod recursive_definition;
pub(crate) mod repeated_variable;
pub(crate) mod too_large;
pub(crate) mod undefined_call;
pub(crate) mod unexpected_token;
pub(crate) mod unguarded_choice;
pub(crate) mod unknown_character;
pub(crate) mod unused_definition;
pub(crate) mod unused_delimitation;
pub(crate) mod variable_endpoint;

use choros_base::CodeInfo;

/// More findings than this tell nothing new.
pub(crate) const MAX_FINDINGS: usize = 100;

/// All codes of this crate.
pub const CODES: &[&CodeInfo] = &[
    &unexpected_token::CODE,
    &unknown_character::CODE,
    &nested_too_deeply::CODE,
    &free_variable::CODE,
    &free_label::CODE,
    &variable_endpoint::CODE,
    &unguarded_choice::CODE,
    &repeated_variable::CODE,
    &undefined_call::CODE,
    &argument_count::CODE,
    &recursive_definition::CODE,
    &defined_twice::CODE,
    &label_as_value::CODE,
    &too_large::CODE,
    &unused_definition::CODE,
    &unused_delimitation::CODE,
    &arity_mismatch::CODE,
    &binder_form::CODE,
];

//! The findings of the data language, one file each.

pub(crate) mod argument_count;
pub(crate) mod nested_too_deeply;
pub(crate) mod no_such_field;
pub(crate) mod number_too_long;
pub(crate) mod sort_mismatch;
pub(crate) mod unexpected_token;
pub(crate) mod unknown_character;
pub(crate) mod unknown_function;
pub(crate) mod unknown_sort;
pub(crate) mod unterminated;

use choros_base::CodeInfo;

/// All codes of this crate.
pub const CODES: &[&CodeInfo] = &[
    &unexpected_token::CODE,
    &sort_mismatch::CODE,
    &unknown_function::CODE,
    &nested_too_deeply::CODE,
    &unknown_character::CODE,
    &unterminated::CODE,
    &argument_count::CODE,
    &no_such_field::CODE,
    &number_too_long::CODE,
    &unknown_sort::CODE,
];

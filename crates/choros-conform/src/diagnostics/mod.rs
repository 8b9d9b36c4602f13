//! What conformance reports of its input.

pub mod divergent_implementation;
pub mod mixed_views;
pub mod silent_specification;
pub mod unlike_data;

use choros_base::CodeInfo;

/// All codes of this crate.
pub const CODES: &[&CodeInfo] = &[
    &divergent_implementation::CODE,
    &silent_specification::CODE,
    &mixed_views::CODE,
    &unlike_data::CODE,
];

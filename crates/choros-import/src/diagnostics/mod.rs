//! What can be wrong with a description.

pub(crate) mod broken_reference;
pub(crate) mod not_a_description;
pub(crate) mod unreadable_description;

use choros_base::CodeInfo;

/// The codes of this crate.
pub const CODES: &[&CodeInfo] = &[
    &unreadable_description::CODE,
    &not_a_description::CODE,
    &broken_reference::CODE,
];

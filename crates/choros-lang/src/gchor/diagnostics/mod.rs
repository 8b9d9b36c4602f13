//! The findings about `.gc` files, one file each.

pub(crate) mod absent_decider;
pub(crate) mod guards;
pub(crate) mod macros;
pub(crate) mod nothing_happens;
pub(crate) mod one_branch;
pub(crate) mod self_interaction;
pub(crate) mod too_deep;
pub(crate) mod unclosed;
pub(crate) mod unexpected;

use choros_base::CodeInfo;

pub(super) use crate::diagnostics::{MAX_FINDINGS, quoted};

/// All codes of `.gc` files.
pub const CODES: &[&CodeInfo] = &[
    &unexpected::CODE,
    &unclosed::CODE,
    &self_interaction::CODE,
    &nothing_happens::CODE,
    &too_deep::CODE,
    &absent_decider::CODE,
    &one_branch::CODE,
    &macros::CODE,
    &guards::CODE,
];

//! What `check` reports of reachability.

pub mod dead_transition;
pub mod undecided_transition;

use choros_base::CodeInfo;

/// All codes of this crate.
pub const CODES: &[&CodeInfo] = &[&dead_transition::CODE, &undecided_transition::CODE];

//! What the analyses report: findings of reachability (CH03xx) and of realizability (CH05xx).

pub mod dead_transition;
pub mod no_choreography;
pub(crate) mod race_with_time;
pub mod undecided_transition;
pub(crate) mod uninformed_role;
pub(crate) mod unknown_condition;
pub(crate) mod unknown_data;
pub(crate) mod unordered_interactions;
pub(crate) mod untold_role;

use choros_base::CodeInfo;

/// All codes of this crate.
pub const CODES: &[&CodeInfo] = &[
    &dead_transition::CODE,
    &undecided_transition::CODE,
    &no_choreography::CODE,
    &unordered_interactions::CODE,
    &unknown_data::CODE,
    &unknown_condition::CODE,
    &uninformed_role::CODE,
    &untold_role::CODE,
    &race_with_time::CODE,
];

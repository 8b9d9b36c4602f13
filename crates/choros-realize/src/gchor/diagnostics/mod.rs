//! The codes of what is wrong with the form of a g-choreography, one file each.

pub(crate) mod no_decider;
pub(crate) mod several_deciders;
pub(crate) mod shared_interaction;
pub(crate) mod uninformed;
pub(crate) mod unsequenced;
pub(crate) mod wrong_decider;

use choros_base::CodeInfo;

/// All codes of the form of g-choreographies.
pub const CODES: &[&CodeInfo] = &[
    &no_decider::CODE,
    &several_deciders::CODE,
    &uninformed::CODE,
    &shared_interaction::CODE,
    &unsequenced::CODE,
    &wrong_decider::CODE,
];

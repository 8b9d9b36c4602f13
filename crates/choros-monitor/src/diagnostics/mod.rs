//! What is strange about observations, one file each.

pub(crate) mod duplicate_id;
pub(crate) mod late_observation;
pub(crate) mod no_time;
pub(crate) mod uncorrelated;
pub(crate) mod wrong_kind;

use choros_base::CodeInfo;

/// All codes of this crate.
pub const CODES: &[&CodeInfo] = &[
    &late_observation::CODE,
    &duplicate_id::CODE,
    &no_time::CODE,
    &wrong_kind::CODE,
    &uncorrelated::CODE,
];

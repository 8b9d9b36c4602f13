//! The findings of the readers of logs, one file each.

pub(crate) mod absurd_time;
pub(crate) mod malformed_observation;
pub(crate) mod missing_field;
pub(crate) mod other_service;
pub(crate) mod renewed_log;
pub(crate) mod too_long_a_record;
pub(crate) mod wrong_type;

use choros_base::CodeInfo;

/// All codes of this crate.
pub const CODES: &[&CodeInfo] = &[
    &malformed_observation::CODE,
    &missing_field::CODE,
    &wrong_type::CODE,
    &too_long_a_record::CODE,
    &other_service::CODE,
    &renewed_log::CODE,
    &absurd_time::CODE,
];

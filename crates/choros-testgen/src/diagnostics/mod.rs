//! What is wrong with oracles and tests, one file each.

pub mod loops_undecided;
pub mod no_test_case;
pub(crate) mod oracle_line;
pub(crate) mod oracle_state;
pub mod too_many_tests;
pub mod unsuitable_test;

use choros_base::CodeInfo;

/// All codes of this crate.
pub const CODES: &[&CodeInfo] = &[
    &oracle_line::CODE,
    &oracle_state::CODE,
    &no_test_case::CODE,
    &unsuitable_test::CODE,
    &loops_undecided::CODE,
    &too_many_tests::CODE,
];

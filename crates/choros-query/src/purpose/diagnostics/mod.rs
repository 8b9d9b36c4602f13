//! The findings about test purposes and contracts, one file each.

pub(crate) mod contract_operation;
pub(crate) mod declared_twice;
pub(crate) mod early_guard;
pub(crate) mod foreign_variable;
pub(crate) mod never_accepts;
pub(crate) mod purpose_statement;
pub(crate) mod unknown_event;
pub(crate) mod unknown_variable;
pub(crate) mod unreached_state;
pub(crate) mod wildcard;

use choros_base::CodeInfo;

/// All codes of test purposes and contracts.
pub const CODES: &[&CodeInfo] = &[
    &purpose_statement::CODE,
    &wildcard::CODE,
    &declared_twice::CODE,
    &unknown_event::CODE,
    &unknown_variable::CODE,
    &foreign_variable::CODE,
    &early_guard::CODE,
    &unreached_state::CODE,
    &never_accepts::CODE,
    &contract_operation::CODE,
];

//! What is wrong with files and the command line, and the register of all codes.

pub(crate) mod mistakes;
pub(crate) mod no_formatter;
pub(crate) mod no_such_component;
pub(crate) mod no_such_parameter;
pub(crate) mod no_such_role;
pub(crate) mod no_such_service;
pub(crate) mod state_bound;
pub(crate) mod unknown_kind;
pub(crate) mod unmatched_message;
pub(crate) mod unreadable;
pub(crate) mod which_component;

use choros_base::{CodeInfo, nearest};

/// The codes of this crate.
pub const CODES: &[&CodeInfo] = &[
    &unreadable::CODE,
    &unknown_kind::CODE,
    &no_such_component::CODE,
    &no_such_parameter::CODE,
    &state_bound::CODE,
    &mistakes::CODE,
    &no_formatter::CODE,
    &unmatched_message::CODE,
    &no_such_role::CODE,
    &no_such_service::CODE,
    &which_component::CODE,
];

/// The code with this number or name, or the one most like it.
pub fn code(text: &str) -> Result<&'static CodeInfo, Option<&'static CodeInfo>> {
    let all = || {
        [
            choros_data::CODES,
            choros_lang::CODES,
            choros_model::CODES,
            choros_realize::CODES,
            choros_conform::CODES,
            CODES,
        ]
        .into_iter()
        .flatten()
        .copied()
    };
    let wanted = |info: &&CodeInfo| info.code.eq_ignore_ascii_case(text) || info.name == text;
    if let Some(info) = all().find(wanted) {
        return Ok(info);
    }
    let similar = nearest(text, all().flat_map(|info| [info.code, info.name]));
    Err(similar.and_then(|text| all().find(|info| info.code == text || info.name == text)))
}

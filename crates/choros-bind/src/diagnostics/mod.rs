//! The findings about bindings, one file each.

pub(crate) mod unbound_message;
pub mod unusable_binding;

use choros_base::CodeInfo;

/// All codes of this crate.
pub const CODES: &[&CodeInfo] = &[&unusable_binding::CODE, &unbound_message::CODE];

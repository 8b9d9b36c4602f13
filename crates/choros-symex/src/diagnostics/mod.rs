//! The findings about trees and products, one file each.

pub mod silent_loop;
pub mod undecided_path;
pub mod unfulfilled_purpose;

use choros_base::CodeInfo;

/// All codes of this crate.
pub const CODES: &[&CodeInfo] = &[
    &undecided_path::CODE,
    &unfulfilled_purpose::CODE,
    &silent_loop::CODE,
];

//! The findings about properties, one file each.

pub(crate) mod bound_twice;
pub(crate) mod duplicate_property;
pub(crate) mod empty_window;
pub(crate) mod property_syntax;
pub(crate) mod property_xml;
pub(crate) mod unbound_variable;
pub(crate) mod unknown_property;
pub(crate) mod unsupported_condition;
pub(crate) mod wrong_view;

use choros_base::CodeInfo;

/// All codes of properties.
pub const CODES: &[&CodeInfo] = &[
    &property_syntax::CODE,
    &empty_window::CODE,
    &unbound_variable::CODE,
    &bound_twice::CODE,
    &duplicate_property::CODE,
    &unknown_property::CODE,
    &property_xml::CODE,
    &unsupported_condition::CODE,
    &wrong_view::CODE,
];

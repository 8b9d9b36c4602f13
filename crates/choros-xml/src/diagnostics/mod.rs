//! The findings of the readers of XML, XML Schema, WSDL and XPath, one file each.

pub(crate) mod boolean_node;
pub mod declared_twice;
pub(crate) mod document_type;
pub(crate) mod double_equals;
pub(crate) mod endless_type;
pub(crate) mod inexpressible;
pub mod misplaced_element;
pub(crate) mod missing_document;
pub(crate) mod not_well_formed;
pub(crate) mod other_namespace;
pub(crate) mod recursion_bound;
pub(crate) mod too_large_document;
pub mod unknown_prefix;
pub mod unresolved_name;
pub mod unsupported_construct;
pub(crate) mod unusable_facet;
pub mod wrong_root;
pub(crate) mod xpath_function;
pub(crate) mod xpath_step;
pub(crate) mod xpath_syntax;
pub(crate) mod xpath_variable;

use choros_base::CodeInfo;

/// All codes of these readers.
pub const CODES: &[&CodeInfo] = &[
    &not_well_formed::CODE,
    &document_type::CODE,
    &too_large_document::CODE,
    &missing_document::CODE,
    &unknown_prefix::CODE,
    &unresolved_name::CODE,
    &unsupported_construct::CODE,
    &misplaced_element::CODE,
    &endless_type::CODE,
    &recursion_bound::CODE,
    &declared_twice::CODE,
    &unusable_facet::CODE,
    &wrong_root::CODE,
    &xpath_syntax::CODE,
    &xpath_function::CODE,
    &xpath_variable::CODE,
    &xpath_step::CODE,
    &inexpressible::CODE,
    &other_namespace::CODE,
    &boolean_node::CODE,
    &double_equals::CODE,
];

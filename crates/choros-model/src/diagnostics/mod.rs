//! The findings of the readers of models, one file each.

pub(crate) mod aut_counts;
pub(crate) mod aut_header;
pub(crate) mod aut_transition;
pub(crate) mod bound_twice;
pub(crate) mod declared_twice;
pub(crate) mod dot_statement;
pub(crate) mod fsa_line;
pub(crate) mod fsa_marking;
pub(crate) mod fsa_partner;
pub(crate) mod fsa_twice;
pub(crate) mod self_message;
pub(crate) mod stg_header;
pub(crate) mod stg_initial;
pub(crate) mod stg_statement;
pub(crate) mod stga_part;
pub(crate) mod stga_xml;

use choros_base::CodeInfo;

/// All codes of this crate.
pub const CODES: &[&CodeInfo] = &[
    &aut_header::CODE,
    &aut_transition::CODE,
    &aut_counts::CODE,
    &self_message::CODE,
    &bound_twice::CODE,
    &stg_header::CODE,
    &stg_initial::CODE,
    &stg_statement::CODE,
    &declared_twice::CODE,
    &dot_statement::CODE,
    &stga_xml::CODE,
    &stga_part::CODE,
    &fsa_line::CODE,
    &fsa_partner::CODE,
    &fsa_marking::CODE,
    &fsa_twice::CODE,
];

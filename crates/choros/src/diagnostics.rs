//! What is wrong with files and the command line, and the register of all codes.

pub(crate) mod absent_path;
pub(crate) mod backward_time;
pub(crate) mod broken_stream;
pub(crate) mod capture_log;
pub(crate) mod capture_mapping;
pub(crate) mod capture_route;
pub(crate) mod changed_model;
pub(crate) mod dead_activity;
pub(crate) mod drive_mapping;
pub(crate) mod edited_file;
pub(crate) mod endless_data;
pub(crate) mod endless_pomsets;
pub(crate) mod expired_entry;
pub(crate) mod foreign_certificate;
pub(crate) mod further_problems;
pub(crate) mod idle_role;
pub(crate) mod ill_formed;
pub(crate) mod lacking_names;
pub(crate) mod meaningless_option;
pub(crate) mod mistakes;
pub(crate) mod no_certificate;
pub(crate) mod no_conversion;
pub(crate) mod no_formatter;
pub(crate) mod no_log_format;
pub(crate) mod no_machines;
pub(crate) mod no_model;
pub(crate) mod no_own_rules;
pub(crate) mod no_payloads;
pub(crate) mod no_states;
pub(crate) mod no_such_component;
pub(crate) mod no_such_form;
pub(crate) mod no_such_parameter;
pub(crate) mod no_such_role;
pub(crate) mod no_such_service;
pub(crate) mod no_target;
pub(crate) mod no_tree_encoding;
pub(crate) mod not_a_certificate;
pub(crate) mod not_a_gchor;
pub(crate) mod not_a_report;
pub(crate) mod not_a_suite;
pub(crate) mod not_executable;
pub(crate) mod not_one_role;
pub(crate) mod not_writable;
pub(crate) mod nothing_declared;
pub(crate) mod nothing_emitted;
pub(crate) mod nothing_named;
pub(crate) mod nothing_to_drive;
pub(crate) mod other_suite;
pub(crate) mod project_key;
pub(crate) mod project_syntax;
pub(crate) mod project_value;
pub(crate) mod repeated_identity;
pub(crate) mod role_logged_twice;
pub(crate) mod state_bound;
pub(crate) mod strange_mapping;
pub(crate) mod strange_target;
pub(crate) mod symbolic_option;
pub(crate) mod symmetric_states;
pub(crate) mod too_large_to_draw;
pub(crate) mod too_many_observations;
pub(crate) mod unauditable_model;
pub(crate) mod unknown_kind;
pub(crate) mod unknown_log_role;
pub(crate) mod unknown_operation;
pub(crate) mod unknown_participant;
pub(crate) mod unmatched_correlation;
pub(crate) mod unmatched_message;
pub(crate) mod unmentioned_message;
pub(crate) mod unreadable;
pub(crate) mod unreadable_log;
pub(crate) mod unusable_mapping;
pub(crate) mod unusable_state;
pub(crate) mod unused_entry;
pub(crate) mod which_component;
pub(crate) mod wrong_domain;

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
    &no_conversion::CODE,
    &meaningless_option::CODE,
    &unmatched_message::CODE,
    &no_such_form::CODE,
    &too_large_to_draw::CODE,
    &not_a_report::CODE,
    &no_such_role::CODE,
    &no_such_service::CODE,
    &which_component::CODE,
    &nothing_declared::CODE,
    &endless_data::CODE,
    &wrong_domain::CODE,
    &no_own_rules::CODE,
    &no_machines::CODE,
    &unknown_participant::CODE,
    &not_a_suite::CODE,
    &no_model::CODE,
    &unreadable_log::CODE,
    &unusable_state::CODE,
    &unusable_mapping::CODE,
    &further_problems::CODE,
    &broken_stream::CODE,
    &unauditable_model::CODE,
    &unknown_log_role::CODE,
    &role_logged_twice::CODE,
    &no_log_format::CODE,
    &strange_mapping::CODE,
    &absent_path::CODE,
    &backward_time::CODE,
    &repeated_identity::CODE,
    &too_many_observations::CODE,
    &edited_file::CODE,
    &no_states::CODE,
    &symmetric_states::CODE,
    &no_payloads::CODE,
    &idle_role::CODE,
    &lacking_names::CODE,
    &unmentioned_message::CODE,
    &endless_pomsets::CODE,
    &not_a_gchor::CODE,
    &ill_formed::CODE,
    &not_executable::CODE,
    &capture_mapping::CODE,
    &capture_route::CODE,
    &capture_log::CODE,
    &not_writable::CODE,
    &unknown_operation::CODE,
    &strange_target::CODE,
    &no_target::CODE,
    &drive_mapping::CODE,
    &changed_model::CODE,
    &nothing_emitted::CODE,
    &other_suite::CODE,
    &nothing_to_drive::CODE,
    &not_one_role::CODE,
    &symbolic_option::CODE,
    &dead_activity::CODE,
    &unmatched_correlation::CODE,
    &no_tree_encoding::CODE,
    &not_a_certificate::CODE,
    &foreign_certificate::CODE,
    &no_certificate::CODE,
    &project_syntax::CODE,
    &project_key::CODE,
    &project_value::CODE,
    &nothing_named::CODE,
    &expired_entry::CODE,
    &unused_entry::CODE,
];

/// Every code there is, in the order of numbers.
pub fn codes() -> Vec<&'static CodeInfo> {
    let mut codes: Vec<&'static CodeInfo> = [
        choros_data::CODES,
        choros_lang::CODES,
        choros_lang::gchor::CODES,
        choros_model::CODES,
        choros_realize::CODES,
        choros_realize::gchor::CODES,
        choros_conform::CODES,
        choros_query::socl::CODES,
        choros_exec::CODES,
        choros_testgen::CODES,
        choros_cows::CODES,
        choros_bpel::CODES,
        choros_monitor::CODES,
        choros_query::property::CODES,
        choros_query::purpose::CODES,
        choros_symex::CODES,
        choros_xml::CODES,
        choros_solve::CODES,
        CODES,
    ]
    .into_iter()
    .flatten()
    .copied()
    .collect();
    codes.sort_by_key(|info| info.code);
    codes
}

/// The code with this number or name, or the one most like it; `CH0301`, `ch301` and `301` are one number.
pub fn code(text: &str) -> Result<&'static CodeInfo, Option<&'static CodeInfo>> {
    let all = codes();
    let number = number(text);
    let find = |text: &str| {
        let wanted = |info: &&&CodeInfo| info.code.eq_ignore_ascii_case(text) || info.name == text;
        all.iter().find(wanted).copied()
    };
    if let Some(info) = find(text).or_else(|| find(&format!("CH{:04}", number?))) {
        return Ok(info);
    }
    Err(nearest(text, all.iter().flat_map(|info| [info.code, info.name])).and_then(find))
}

/// The number of a code that is written in a hurry.
fn number(text: &str) -> Option<u16> {
    let digits = text.trim_start_matches(['c', 'C', 'h', 'H']);
    digits.parse().ok()
}

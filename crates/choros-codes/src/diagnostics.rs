//! What is wrong with files, requests and the command line.

pub mod absent_path;
pub mod backward_time;
pub mod broken_stream;
pub mod capture_log;
pub mod capture_route;
pub mod changed_model;
pub mod dead_activity;
pub mod edited_file;
pub mod endless_data;
pub mod endless_pomsets;
pub mod expired_entry;
pub mod foreign_certificate;
pub mod further_problems;
pub mod idle_role;
pub mod ill_formed;
pub mod lacking_names;
pub mod meaningless_option;
pub mod mistakes;
pub mod no_certificate;
pub mod no_conversion;
pub mod no_formatter;
pub mod no_joint_graph;
pub mod no_log_format;
pub mod no_machines;
pub mod no_model;
pub mod no_own_rules;
pub mod no_payloads;
pub mod no_roles;
pub mod no_states;
pub mod no_such_component;
pub mod no_such_form;
pub mod no_such_parameter;
pub mod no_such_role;
pub mod no_such_service;
pub mod no_such_session_name;
pub mod no_such_step;
pub mod no_target;
pub mod no_tree_encoding;
pub mod not_a_certificate;
pub mod not_a_gchor;
pub mod not_a_report;
pub mod not_a_suite;
pub mod not_executable;
pub mod not_one_role;
pub mod not_writable;
pub mod nothing_around;
pub mod nothing_declared;
pub mod nothing_emitted;
pub mod nothing_named;
pub mod nothing_to_drive;
pub mod old_mapping;
pub mod other_suite;
pub mod project_key;
pub mod project_syntax;
pub mod project_value;
pub mod repeated_identity;
pub mod role_logged_twice;
pub mod state_bound;
pub mod strange_target;
pub mod stuck_process;
pub mod symbolic_option;
pub mod symmetric_states;
pub mod too_large_to_draw;
pub mod too_many_observations;
pub mod unauditable_model;
pub mod unknown_fault_name;
pub mod unknown_kind;
pub mod unknown_log_role;
pub mod unknown_operation;
pub mod unknown_participant;
pub mod unmatched_correlation;
pub mod unmatched_message;
pub mod unmentioned_message;
pub mod unreadable;
pub mod unreadable_log;
pub mod unusable_drive_input;
pub mod unusable_mapping;
pub mod unusable_state;
pub mod unusable_stream;
pub mod unused_entry;
pub mod which_component;
pub mod wrong_domain;

use choros_base::CodeInfo;

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
    &no_roles::CODE,
    &unknown_fault_name::CODE,
    &no_such_service::CODE,
    &which_component::CODE,
    &nothing_around::CODE,
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
    &unusable_stream::CODE,
    &unusable_mapping::CODE,
    &old_mapping::CODE,
    &further_problems::CODE,
    &broken_stream::CODE,
    &unauditable_model::CODE,
    &unknown_log_role::CODE,
    &role_logged_twice::CODE,
    &no_joint_graph::CODE,
    &no_log_format::CODE,
    &absent_path::CODE,
    &backward_time::CODE,
    &repeated_identity::CODE,
    &too_many_observations::CODE,
    &edited_file::CODE,
    &no_states::CODE,
    &no_such_session_name::CODE,
    &no_such_step::CODE,
    &symmetric_states::CODE,
    &no_payloads::CODE,
    &idle_role::CODE,
    &lacking_names::CODE,
    &unmentioned_message::CODE,
    &endless_pomsets::CODE,
    &not_a_gchor::CODE,
    &ill_formed::CODE,
    &not_executable::CODE,
    &capture_route::CODE,
    &capture_log::CODE,
    &not_writable::CODE,
    &unknown_operation::CODE,
    &strange_target::CODE,
    &no_target::CODE,
    &unusable_drive_input::CODE,
    &changed_model::CODE,
    &nothing_emitted::CODE,
    &other_suite::CODE,
    &nothing_to_drive::CODE,
    &not_one_role::CODE,
    &symbolic_option::CODE,
    &dead_activity::CODE,
    &stuck_process::CODE,
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

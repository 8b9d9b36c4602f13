//! The findings about scripts, one file each.

pub(crate) mod ambiguous_term;
pub(crate) mod bound_already;
pub(crate) mod chor_data;
pub(crate) mod command_arguments;
pub(crate) mod composition_cycle;
pub(crate) mod declared_again;
pub(crate) mod different_fields;
pub(crate) mod duplicate_component;
pub(crate) mod duplicate_state;
pub(crate) mod inclusion_cycle;
pub(crate) mod misplaced_abort;
pub(crate) mod misplaced_again;
pub(crate) mod missing_sort;
pub(crate) mod misspelt_message;
pub(crate) mod mixed_operators;
pub(crate) mod mixed_units;
pub(crate) mod mixed_views;
pub(crate) mod name_in_activity;
pub(crate) mod never_late;
pub(crate) mod no_counterpart;
pub(crate) mod not_once;
pub(crate) mod nothing_awaited;
pub(crate) mod parallel_writes;
pub(crate) mod role_played_twice;
pub(crate) mod several_roles;
pub(crate) mod too_long_a_wait;
pub(crate) mod too_many_attempts;
pub(crate) mod unbound_variable;
pub(crate) mod unclear_clock;
pub(crate) mod unclear_witness;
pub(crate) mod unclosed_block;
pub(crate) mod unclosed_component;
pub(crate) mod undeclared_component;
pub(crate) mod undeclared_name;
pub(crate) mod undeclared_role;
pub(crate) mod undeclared_state;
pub(crate) mod unknowable_value;
pub(crate) mod unknown_command;
pub(crate) mod unknown_identity;
pub(crate) mod unnamed_field;
pub(crate) mod wrong_arguments;
pub(crate) mod wrong_decider;
pub(crate) mod wrong_view;

use choros_base::CodeInfo;

/// All codes of this crate.
pub const CODES: &[&CodeInfo] = &[
    &undeclared_component::CODE,
    &duplicate_component::CODE,
    &unclosed_component::CODE,
    &composition_cycle::CODE,
    &undeclared_state::CODE,
    &duplicate_state::CODE,
    &ambiguous_term::CODE,
    &unknown_command::CODE,
    &command_arguments::CODE,
    &mixed_views::CODE,
    &several_roles::CODE,
    &role_played_twice::CODE,
    &unclosed_block::CODE,
    &undeclared_role::CODE,
    &unbound_variable::CODE,
    &bound_already::CODE,
    &different_fields::CODE,
    &wrong_decider::CODE,
    &unknowable_value::CODE,
    &parallel_writes::CODE,
    &undeclared_name::CODE,
    &declared_again::CODE,
    &wrong_view::CODE,
    &wrong_arguments::CODE,
    &inclusion_cycle::CODE,
    &too_long_a_wait::CODE,
    &unnamed_field::CODE,
    &missing_sort::CODE,
    &misspelt_message::CODE,
    &misplaced_again::CODE,
    &mixed_operators::CODE,
    &chor_data::CODE,
    &name_in_activity::CODE,
    &no_counterpart::CODE,
    &unclear_clock::CODE,
    &nothing_awaited::CODE,
    &mixed_units::CODE,
    &never_late::CODE,
    &misplaced_abort::CODE,
    &unknown_identity::CODE,
    &too_many_attempts::CODE,
    &not_once::CODE,
    &unclear_witness::CODE,
];

/// More findings than this from one kind of work tell nothing new, and a broken file could have a million.
pub(crate) const MAX_FINDINGS: usize = 100;

/// A name as it is shown in a message: its beginning where it is long.
pub(crate) fn quoted(name: &str) -> String {
    const MAX_NAME_LENGTH: usize = 40;
    match name.char_indices().nth(MAX_NAME_LENGTH) {
        Some((end, _)) => format!("`{}…`", &name[..end]),
        None => format!("`{name}`"),
    }
}

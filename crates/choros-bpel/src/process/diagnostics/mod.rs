//! The findings of the reader of processes, one file each.

pub(super) mod lacking_alias;
pub(super) mod link_over_border;
pub(super) mod message_mismatch;
pub(super) mod misplaced_activity;
pub(super) mod no_start;
pub(super) mod not_followed;
pub(super) mod older_version;
pub(super) mod unknown_activity;
pub(super) mod unknown_correlation_set;
pub(super) mod unknown_operation;
pub(super) mod unknown_partner_link;
pub(super) mod unknown_variable;
pub(super) mod unresolved_link;
pub(super) mod unusable_duration;
pub(super) mod unusable_literal;

use choros_base::{CodeInfo, Diagnostic, Span, nearest};

/// All codes of the reader of processes.
pub const CODES: &[&CodeInfo] = &[
    &unknown_activity::CODE,
    &unknown_partner_link::CODE,
    &unknown_operation::CODE,
    &message_mismatch::CODE,
    &unknown_variable::CODE,
    &unknown_correlation_set::CODE,
    &lacking_alias::CODE,
    &unresolved_link::CODE,
    &unusable_duration::CODE,
    &misplaced_activity::CODE,
    &no_start::CODE,
    &not_followed::CODE,
    &unusable_literal::CODE,
    &link_over_border::CODE,
    &older_version::CODE,
];

/// A name that is not declared, with the most similar one that does.
fn unknown<'a>(
    code: &'static CodeInfo,
    message: String,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
    span: Span,
) -> Diagnostic {
    let diagnostic = Diagnostic::new(code, message, span, "not declared");
    match nearest(name, known) {
        Some(near) => {
            let message = format!("`{near}` is similar");
            diagnostic.suggest(message, span, near)
        }
        None => diagnostic,
    }
}

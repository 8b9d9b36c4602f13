//! What was there before its rule: a list that only gets shorter.

use super::Finding;

/// A part of a finding's message, and how the path of its file begins.
const DEBTS: &[(&str, &str)] = &[
    ("command line", "crates/choros-monitor/src/audit/judge.rs"),
    ("are the limit", "crates/choros/src/verbs/drive/"),
    ("are the limit", "crates/choros/src/verbs/machines/"),
    ("are the limit", "crates/choros/src/verbs/monitor/"),
    ("are the limit", "crates/choros/src/verbs/symbolic/"),
    ("the shells", "crates/choros/src/verbs/monitor/"),
];

pub(super) fn is_known(finding: &Finding) -> bool {
    DEBTS
        .iter()
        .any(|(rule, path)| finding.message.contains(rule) && finding.path.starts_with(path))
}

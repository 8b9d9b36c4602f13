//! The words of WS-BPEL: namespaces and names of activities.

/// The namespace of abstract processes.
pub const ABSTRACT: &str = "http://docs.oasis-open.org/wsbpel/2.0/process/abstract";
/// The namespace of executable processes.
pub const EXECUTABLE: &str = "http://docs.oasis-open.org/wsbpel/2.0/process/executable";

/// The names of activities.
pub(crate) const ACTIVITIES: &[&str] = &[
    "assign",
    "compensate",
    "compensateScope",
    "empty",
    "exit",
    "extensionActivity",
    "flow",
    "forEach",
    "if",
    "invoke",
    "opaqueActivity",
    "pick",
    "receive",
    "repeatUntil",
    "reply",
    "rethrow",
    "scope",
    "sequence",
    "throw",
    "validate",
    "wait",
    "while",
];

pub(crate) fn is_activity(local: &str) -> bool {
    ACTIVITIES.contains(&local)
}

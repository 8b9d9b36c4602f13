//! What a fault does to roles.

use serde::Serialize;

/// What is known of one fault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FaultRow {
    /// As it is asked about: `lose:Charged`.
    pub fault: String,
    /// The word of the verdict on all runs.
    pub safe: &'static str,
    /// The word of the verdict on whether the roles can always still end.
    pub recovers: &'static str,
    /// What goes wrong first, or why that is not known.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub first: String,
}

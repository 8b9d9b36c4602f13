//! Who is guilty where services do not keep a choreography.

use serde::Serialize;

/// Who is guilty, and who may be.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Blame {
    /// Roles that left the choreography by what they sent.
    pub roles: Vec<GuiltyRole>,
    /// Roles that may be guilty, because no log says who is.
    pub may_be: Vec<String>,
    /// The only role in `roles` is the only one that can be guilty.
    pub alone: bool,
    /// Sessions that do not conform although every role did its part.
    pub unavoidable: usize,
}

/// A guilty role and the first message that shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GuiltyRole {
    /// The role.
    pub role: String,
    /// Where its log has the message.
    pub place: String,
    /// What it sent.
    pub message: String,
}

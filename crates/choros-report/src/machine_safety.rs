//! What `check` and `explore` say of machines beside the answer.

use serde::Serialize;

/// Safety of machines within a bound, and how it was proved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MachineSafety {
    /// How many messages a channel holds.
    pub bound: u64,
    /// Over queues, when all was examined: what is under way can be received, and who waits can move, within the bound.
    #[serde(rename = "k_safe", skip_serializing_if = "Option::is_none")]
    pub safe: Option<bool>,
    /// Over queues, when all was examined: every send finds room after steps of the others.
    #[serde(rename = "k_exhaustive", skip_serializing_if = "Option::is_none")]
    pub exhaustive: Option<bool>,
    /// Over queues, when all was examined: every machine is deterministic and talks to one partner at a time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub directed: Option<bool>,
    /// The word for the proof, where the machines are safe.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<&'static str>,
}

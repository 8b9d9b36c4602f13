//! Conversations with a running service, in the form that reports save and read back.
//!
//! They hold everything that a verdict of `drive` depends on, so that it can be judged again without the service, and
//! sent to it again with the same values.

use serde::{Deserialize, Serialize};

use crate::{SavedMessage, SavedSymbolicSuite};

/// How a service was driven.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SavedDriving {
    /// The model and its tests.
    pub suite: SavedSymbolicSuite,
    /// Where the service was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The file that says how messages look as JSON over HTTP.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mapping: Option<String>,
    /// Whether all partners were played.
    pub mock_partners: bool,
    /// Where partners were played: `ROLE=ADDR`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mock_at: Vec<String>,
    /// Whether the driver continued along other paths.
    pub adaptive: bool,
    /// The verdict when an answer that is due does not come: `fail` or `inconclusive`.
    pub timeout_verdict: String,
    /// How time passes.
    pub tempo: SavedTiming,
}

/// How time passes, in microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedTiming {
    /// The length of a tick.
    pub tick: u64,
    /// By how much a service may be early or late.
    pub tolerance: u64,
    /// How long an answer may take.
    pub answer: u64,
    /// How long to listen at the end.
    pub quiet: u64,
}

/// What happened in one run of one test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SavedConversation {
    /// Why the verdict is as it is.
    pub why: String,
    /// What happened, in order.
    pub events: Vec<SavedEvent>,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SavedEvent {
    /// Microseconds since the beginning.
    pub at: u64,
    /// What.
    #[serde(flatten)]
    pub what: SavedHappening,
}

impl choros_model::Judgeable for SavedEvent {}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SavedHappening {
    /// The tester sent.
    Sent(SavedMessage),
    /// The tester saw.
    Seen(SavedMessage),
    /// The transport gave up on an operation.
    Refused {
        /// Which.
        op: String,
        /// Why.
        reason: String,
    },
    /// A call of this operation is known to have arrived.
    Arrived(String),
    /// Something came that is not a message: why it is none.
    Malformed(String),
    /// The tester waited for this many ticks, or, with none, for an answer that did not come.
    Waited(u64),
}

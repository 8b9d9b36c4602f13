//! What an audit of a stream remembers, as a broker keeps it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{SavedObservation, of_schema};

/// The highest number of the schema that is understood.
const SCHEMA: u64 = 1;

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SavedAudit {
    /// The number of the schema.
    pub schema: u64,
    /// How many observations were taken.
    pub taken: u64,
    /// The latest time, as a number in a text.
    pub now: Option<String>,
    /// What was found of each role, and of all together.
    pub parts: Vec<SavedPart>,
    /// How many sessions were judged.
    pub sessions: u64,
    /// Messages of which the model does not speak.
    pub filtered: BTreeMap<String, u64>,
    /// Observations by those who play no role.
    pub strangers: BTreeMap<String, u64>,
    /// Messages without a session, and after the end of theirs.
    pub unnamed: u64,
    pub late: u64,
    /// Verdicts that are conditions.
    pub conditional: u64,
    /// Sessions that were cut because they were quiet, and because there was no room.
    pub cut: [u64; 2],
    pub guilty: Vec<SavedGuilt>,
    pub may_be_guilty: Vec<String>,
    pub races: u64,
    /// The sessions that were judged last, as hexadecimal numbers one after the other.
    pub ended: String,
    pub forgotten: u64,
    /// Sessions that are open.
    pub open: Vec<SavedSession>,
}

/// What was found of a part: pass, fail, inconclusive, unfinished, observations, left out.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SavedPart(pub [u64; 6]);

/// A guilty role.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SavedGuilt {
    /// The log and the line where the session begins.
    pub begins: (u64, u64),
    pub role: String,
    pub place: String,
    pub message: String,
}

/// A session that is open.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SavedSession {
    pub name: String,
    /// With the numbers of their logs.
    pub seen: Vec<(u64, SavedObservation)>,
    pub latest: Option<String>,
    pub touched: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<u64>,
}

impl SavedAudit {
    pub fn to_json(&self) -> String {
        let value = SavedAudit {
            schema: SCHEMA,
            ..self.clone()
        };
        serde_json::to_string(&value).unwrap_or_default()
    }

    /// From JSON; in words why not.
    pub fn from_json(text: &str) -> Result<SavedAudit, String> {
        of_schema(text, SCHEMA, |it: &SavedAudit| it.schema)
    }
}

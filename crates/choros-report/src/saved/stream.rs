//! What a broker keeps of a stream of observations: entries, and how far a partition was judged.

use serde::{Deserialize, Serialize};

use super::{SavedMark, SavedObservation, of_schema};

/// The highest number of the schema that is understood.
const SCHEMA: u64 = 1;

/// How far a partition was judged.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SavedCheckpoint {
    /// The number of the schema.
    pub schema: u64,
    /// Which stream it is about.
    pub incarnation: String,
    /// The last entry that was judged.
    pub sequence: u64,
    /// How many verdicts were told.
    pub told: u64,
    /// The process that writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The version of the properties; none before the first entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
    /// Where the state is kept if it is too long for one value; empty if it follows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<String>,
}

impl SavedCheckpoint {
    pub fn to_json(&self) -> String {
        let value = SavedCheckpoint {
            schema: SCHEMA,
            ..self.clone()
        };
        serde_json::to_string(&value).unwrap_or_default()
    }

    /// From JSON; in words why not.
    pub fn from_json(text: &str) -> Result<SavedCheckpoint, String> {
        of_schema(text, SCHEMA, |it: &SavedCheckpoint| it.schema)
    }
}

impl SavedObservation {
    /// One line, without its line break.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Those of a text, one per line; in words why not.
    pub fn from_lines(text: &str) -> Result<Vec<SavedObservation>, String> {
        let lines = text.lines().map(serde_json::from_str);
        lines
            .collect::<Result<_, _>>()
            .map_err(|error| error.to_string())
    }
}

/// The last message of each log.
pub fn last_marks_to_json(marks: &[(String, SavedMark)]) -> String {
    serde_json::to_string(marks).unwrap_or_default()
}

/// From JSON; in words why not.
pub fn last_marks_from_json(text: &str) -> Result<Vec<(String, SavedMark)>, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

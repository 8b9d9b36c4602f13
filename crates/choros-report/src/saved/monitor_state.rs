//! The state of a monitor on disk: `docs/schema/monitor-state.schema.json`.
//!
//! The structs here follow the schema and nothing else; the façade translates from and to the monitor's own.

use serde::{Deserialize, Serialize};

use super::of_schema;

/// The highest number of the schema that is understood.
const SCHEMA: u64 = 1;

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SavedMonitor {
    /// The number of the schema.
    pub schema: u64,
    /// The properties, printed: a state of other properties is of no use.
    pub properties: String,
    /// How many verdicts were given.
    pub sequence: u64,
    /// How many observations were taken.
    pub observations: u64,
    /// How many bytes of the file of verdicts were written.
    pub verdict_bytes: u64,
    /// How far each log was read.
    pub inputs: Vec<SavedInput>,
    /// Pass, fail and inconclusive of each property.
    pub counts: Vec<[u64; 3]>,
    /// Of each property the windows that redacted values would decide; empty if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redacted: Vec<u64>,
    /// What is known of the log of each service.
    pub logs: Vec<SavedLog>,
}

/// How far a log was read.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SavedInput {
    /// The file.
    pub path: String,
    /// How far it was read, in bytes.
    pub bytes: u64,
    /// How far it was read, in lines.
    pub lines: u64,
    /// A number made from the first bytes of the file, in hexadecimal digits; older states have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beginning: Option<String>,
}

/// What is known of the log of a service.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SavedLog {
    /// Whose log it is.
    pub service: String,
    /// How many messages were judged.
    pub position: u64,
    /// The largest time seen, as a number in a text.
    pub clock: Option<String>,
    /// The last message.
    pub last: SavedMark,
    /// The last observations, with their positions.
    pub recent: Vec<(u64, SavedObservation)>,
    /// Observations that wait to be put in order.
    pub waiting: Vec<SavedObservation>,
    /// How often what properties name was there; older states have none.
    #[serde(default)]
    pub census: Vec<u64>,
    /// Open windows.
    pub windows: Vec<SavedWindow>,
}

/// A place in a log.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SavedMark {
    /// Where it stands in the log, from 1.
    pub line: u64,
    /// The time, as a number in a text.
    pub at: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SavedObservation {
    /// Where it stands in the log, from 1.
    pub line: u64,
    /// Its time, as a number in a text.
    pub at: Option<String>,
    /// The service whose log it is in.
    pub by: String,
    /// Whether that service sent it.
    pub sends: bool,
    /// Sender.
    pub from: String,
    /// Receiver.
    pub to: String,
    /// Operation.
    pub op: String,
    /// Identity.
    pub id: Option<String>,
    /// What correlates it with others, where that is said.
    pub session: Option<String>,
    /// Paths and values.
    pub data: Vec<(String, SavedDatum)>,
    /// Not all of its data were written down.
    #[serde(default)]
    pub is_partial: bool,
    /// It refuses the message with its identity.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_fault: bool,
}

/// A value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SavedDatum {
    /// Nothing.
    Null,
    /// A truth value.
    Bool(bool),
    /// A number: numerator and denominator.
    Number(String, String),
    /// Characters in quotes.
    Text(String),
    /// Characters without a type.
    Untyped(String),
}

/// An open window.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SavedWindow {
    /// The position of its property.
    pub property: u64,
    /// The message that opened it.
    pub opened: SavedMark,
    /// The position of that message.
    pub position: u64,
    /// How many events of the context were seen.
    pub matched: u64,
    /// The values that the context bound.
    pub values: Vec<SavedDatum>,
    /// Redacted values say whether its context was seen.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub redacted_context: bool,
    /// Redacted values say whether an answer was seen.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub redacted_answer: bool,
    /// What correlates it.
    pub key: Option<String>,
    /// What correlates it with others, where that is said.
    pub session: Option<String>,
    /// Messages of its session since the context.
    pub counted: u64,
    /// The position at which it ends.
    pub last_position: u64,
    /// The time at which it ends, as a number in a text.
    pub last_time: Option<String>,
}

impl SavedMonitor {
    pub fn to_json(&self) -> String {
        let value = SavedMonitor {
            schema: SCHEMA,
            ..self.clone()
        };
        serde_json::to_string(&value).unwrap_or_default()
    }

    /// From JSON; in words why not.
    pub fn from_json(text: &str) -> Result<SavedMonitor, String> {
        of_schema(text, SCHEMA, |it: &SavedMonitor| it.schema)
    }
}

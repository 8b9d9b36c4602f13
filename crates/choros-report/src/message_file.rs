//! A message with its values, as suites and reports save it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A message with its values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedMessage {
    /// What is invoked or answered.
    pub op: String,
    /// Sender.
    pub from: String,
    /// Receiver.
    pub to: String,
    /// The fault it carries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// One value per field, as bodies of JSON have them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub data: Vec<Value>,
}

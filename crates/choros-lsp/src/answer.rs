//! What a verb answered.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use serde_json::Value;

use crate::findings::{Edit, Finding};

#[derive(Debug)]
pub(crate) struct VerbAnswer {
    /// What the client gets.
    pub(crate) result: Value,
    /// What is shown in the buffer.
    pub(crate) findings: Vec<Finding>,
    /// The answer in one line.
    pub(crate) summary: String,
    /// It ended before it was done, or the world refused: nothing was found out.
    pub(crate) is_cut: bool,
    /// The client shows it somewhere, and needs no message.
    pub(crate) is_quiet: bool,
    /// What the client is asked to change, where that was wanted.
    pub(crate) change: Option<Vec<Edit>>,
    /// Of `check`: places of messages in the buffer, in bytes, and under which condition they happen.
    pub(crate) conditions: Vec<(Range<usize>, String)>,
    /// The texts that it rests on.
    pub(crate) read: BTreeMap<String, Arc<str>>,
}

//! A state in which nothing goes on for some data.

use std::collections::BTreeMap;

use serde::Serialize;

/// Where a run can be stuck, and with which values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StuckPlace {
    /// The state, as people call it.
    pub state: String,
    /// Values of variables with which nothing goes on there; none where that is so whatever the data.
    pub data: BTreeMap<String, String>,
}

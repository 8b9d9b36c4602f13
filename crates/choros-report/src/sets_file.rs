//! Claims about sets of states as JSON, in certificates of answers for all data.

use serde::{Deserialize, Serialize};

/// When a formula holds, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedForAll {
    /// The formula as it is printed.
    pub formula: String,
    /// When it holds, over the parameters; it fails otherwise.
    pub condition: String,
    /// Each is sound by itself.
    pub parts: Vec<SavedSetPart>,
    /// Of a formula about all values of variables: values for which it is false, the step being the number of a part.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub against: Vec<SavedChoice>,
}

/// Claims, and what they may assume of runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedSetPart {
    /// What holds whenever a run is at a place: its number and a condition.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<(u32, String)>,
    pub claims: Vec<SavedSetClaim>,
}

/// Where a sub-formula is true, or where it is false.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedSetClaim {
    /// The number of the sub-formula, parts before wholes, from 0.
    pub part: u32,
    /// What its free variables are, in the order in which they are bound.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<SavedGiven>,
    /// Whether it is true.
    pub holds: bool,
    /// The sets.
    pub stages: Vec<SavedStage>,
}

/// What a correlation variable is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum SavedGiven {
    /// A text of a rule.
    Text(String),
    /// Any value of a sort: the name that stands for it, and the sort.
    Any(String, String),
}

/// Sets with one rank.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedStage {
    /// The parts of the rank, compared from the left.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rank: Vec<SavedRankPart>,
    /// Under fairness, where a run goes on forever: the number of the assumption that is served next.
    #[serde(default, skip_serializing_if = "is_first")]
    pub turn: u32,
    /// Under fairness, where going on forever would not do: which assumptions help.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub helpful: Vec<SavedHelpful>,
    pub sets: Vec<SavedSet>,
}

fn is_first(turn: &u32) -> bool {
    *turn == 0
}

/// Where a step of an assumption is possible.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedHelpful {
    pub place: u32,
    /// The number of the assumption, from 0.
    pub assumption: u32,
    pub condition: String,
}

/// What steps decrease.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum SavedRankPart {
    /// A number of the state.
    Number(String),
    /// A number of the state, and by how much it decreases at least, which no step changes.
    Falling(String, String),
    /// Numbers of places.
    Places(Vec<(u32, u32)>),
}

/// The states at one place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedSet {
    /// A node of the graph, or the state that has ended, which comes after all nodes.
    pub place: u32,
    /// Over the variables of the model and those of the claim.
    pub condition: String,
    /// The values with which steps are chosen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choose: Vec<SavedChoice>,
}

/// The values with which a step is chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedChoice {
    /// Its position among the steps of the place, from 0: edges, then the end.
    pub step: u32,
    /// A term for each new value; without them, some values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<String>>,
}

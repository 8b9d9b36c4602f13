//! Suites of symbolic tests as JSON, as `docs/schema/symbolic-suite.schema.json` describes them.
//!
//! Terms are text over the symbols that a test lists with their sorts, so that a suite can be driven by a program
//! that reads terms, and understood by one that does not.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{NotASuite, SavedMessage};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedSymbolicSuite {
    /// The version of the form.
    pub schema: u32,
    /// `symbolic`: what tells it from other suites.
    pub kind: String,
    /// The file of the model.
    pub model: String,
    /// The kind that it was read as, where that was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_kind: Option<String>,
    /// Values that `--param` fixed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, String>,
    /// How many sessions the service serves at the same time, where there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sessions: Option<SavedSessions>,
    /// A digest of the model; reports of earlier versions have none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub digest: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub component: Option<String>,
    /// The role under test, if the model is a choreography.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// The file of the purpose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
    /// Whose actions come first: `first` those of the purpose, `last` those of the model.
    pub purpose_actions: String,
    /// The files of contracts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contracts: Vec<String>,
    /// The file of words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// The partner who is the user.
    pub user: String,
    /// The partners whom the tester plays.
    pub played: Vec<String>,
    /// The bound on events.
    pub depth: u32,
    /// What the suite was to cover.
    pub coverage: String,
    /// Whether only paths to an end were wanted.
    #[serde(default)]
    pub only_terminating: bool,
    /// Whether paths that leave the service in the middle were wanted.
    #[serde(default)]
    pub incomplete: bool,
    /// Whether included nodes were not followed.
    #[serde(default)]
    pub inclusion: bool,
    /// Whether no bound cut the tree.
    pub complete: bool,
    /// In the order in which they are run.
    pub tests: Vec<SavedSymbolicTest>,
}

/// Several runs of a conversation at the same time, as the options of the command line say it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedSessions {
    /// How many.
    pub count: u32,
    /// The field that says which session a message belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// No two sessions have the same value there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub distinct: bool,
    /// The variables that all sessions read and write.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sharing: Vec<String>,
    /// Messages of different sessions never wait in one queue.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub own_queues: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedSymbolicTest {
    /// What it is called.
    pub name: String,
    /// The node of the tree where it ends.
    pub end: u32,
    /// Whether the service has ended then.
    pub terminating: bool,
    /// Whether the purpose is reached on the way.
    pub accepted: bool,
    /// The symbols that it speaks of.
    pub symbols: Vec<SavedSymbol>,
    /// What happens, silent steps included.
    pub steps: Vec<SavedSymbolicStep>,
    /// The path condition with every assignment as an equation.
    pub path_condition: Vec<String>,
    /// The same with all assignments put in, and that the model's answers have the types of their messages.
    pub condition: Vec<String>,
    /// Values of what the tester sends in one run that takes the path; of answers that differ, other values follow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<Vec<String>>>,
    /// Values at which one atom of a guard decides; the path is followed with each of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edges: Vec<SavedEdge>,
}

/// Values at the edge of a guard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedEdge {
    /// What is special about them.
    pub condition: String,
    /// What the tester sends.
    pub sent: Vec<SavedMessage>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedSymbol {
    /// `vs29`.
    pub name: String,
    /// As the data language prints it.
    pub sort: String,
    /// The variable of the model that it was made for.
    pub variable: String,
    /// `start`, `received` or `assigned`.
    pub source: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedSymbolicStep {
    /// The node of the tree that it leads to.
    pub node: u32,
    /// The edge of the model, or of its product with the purpose, that it takes.
    pub edge: usize,
    /// The state of the model, or of its product, that it leads to.
    pub state: String,
    /// The event as it is printed.
    pub event: String,
    /// `silent`, `tick`, `raise`, `end`, `accept`, `send` or `receive`, as the service sees it.
    pub kind: String,
    /// `stimulus`, `observation`, `time` or `hidden`, as the tester sees it.
    pub part: String,
    /// The operation of a message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// Its sender.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Its receiver.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The fault that it carries, or that is raised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// Its data.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<SavedSymbolicField>,
    /// What the tester may see next, without data.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub may: Vec<String>,
}

/// A datum of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedSymbolicField {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// What it carries, over symbols.
    pub term: String,
    /// The same with all assignments put in.
    pub value: String,
}

impl SavedSymbolicSuite {
    /// The version of the form that is written.
    pub const SCHEMA: u32 = 2;
    /// What tells it from other suites.
    pub const KIND: &str = "symbolic";

    /// The suite as JSON, with a line break at the end.
    pub fn to_json(&self) -> String {
        match serde_json::to_string_pretty(self) {
            Ok(text) => text + "\n",
            // Strings, numbers and lists cannot fail to serialise.
            Err(error) => unreachable!("a suite is plain data: {error}"),
        }
    }

    /// Reads a suite.
    pub fn of_json(text: &str) -> Result<SavedSymbolicSuite, NotASuite> {
        let suite: SavedSymbolicSuite = serde_json::from_str(text).map_err(|error| NotASuite {
            reason: error.to_string(),
        })?;
        if suite.kind != Self::KIND {
            return Err(NotASuite {
                reason: format!("it is a suite of kind `{}`, not `symbolic`", suite.kind),
            });
        }
        match suite.schema {
            Self::SCHEMA => Ok(suite),
            other => Err(NotASuite {
                reason: format!(
                    "it has format version {other}, but only version 2 is supported; make it again"
                ),
            }),
        }
    }
}

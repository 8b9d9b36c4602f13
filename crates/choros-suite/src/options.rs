//! What tests are made of, and how; a suite remembers both.

use std::collections::BTreeMap;

use choros_base::Choice;
use choros_model::stg::{MOST_SESSIONS, SessionCount, Sessions};
use choros_report::{SavedSessions, SavedSymbolicSuite};
use choros_symex::{CoverageCriterion, Derivation, PurposeActions};
use choros_testgen::{Loops, Splitting};

/// The model that a suite is about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// Its file.
    pub model: String,
    /// The kind that the file was read as, where that was said.
    pub kind: Option<String>,
    pub component: Option<String>,
    /// Values that were fixed.
    pub parameters: BTreeMap<String, String>,
    /// How many sessions there are at the same time, where that was asked.
    pub sessions: Option<Sessions>,
}

/// How tests of machines are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineTestOptions {
    /// The component under test; all where none is named.
    pub role: Option<String>,
    /// How machines are split.
    pub splitting: Splitting,
    /// A file that says which states are success states; where there is none, those that nothing leaves.
    pub oracle: Option<String>,
    /// Whether there are tests for each part of a g-choreography, and not only for the whole.
    pub subtrees: bool,
    /// What is done about loops.
    pub loops: Loops,
    /// Whether tests are made from a choreography that is not well-formed, too.
    pub force: bool,
    /// A model with data that says what messages carry, for executable tests.
    pub payloads: Option<String>,
}

/// How tests of a model with data are made: paths of its symbolic execution tree.
#[derive(Debug, Clone)]
pub struct SymbolicTestOptions {
    /// The role under test, if the model is a choreography.
    pub role: Option<String>,
    /// The partner who is the user.
    pub user: Option<String>,
    /// The partners whom the tester plays; where none are named, the user, or all where there is no user.
    pub play: Vec<String>,
    /// All partners are played, no matter which are named.
    pub play_all: bool,
    /// The file of a test purpose.
    pub purpose: Option<String>,
    /// Whose actions come first where model and purpose take a step together.
    pub actions: PurposeActions,
    /// Files of contracts.
    pub contracts: Vec<String>,
    /// A file of words: strings from outside are among them.
    pub words: Option<String>,
    /// Which tests are chosen from how large a tree.
    pub derivation: Derivation,
}

impl Default for MachineTestOptions {
    fn default() -> Self {
        MachineTestOptions {
            role: None,
            splitting: Splitting::Once,
            oracle: None,
            subtrees: false,
            loops: Loops::None,
            force: false,
            payloads: None,
        }
    }
}

impl Default for SymbolicTestOptions {
    fn default() -> Self {
        SymbolicTestOptions {
            role: None,
            user: None,
            play: Vec::new(),
            play_all: false,
            purpose: None,
            actions: PurposeActions::First,
            contracts: Vec::new(),
            words: None,
            derivation: Derivation::default(),
        }
    }
}

impl Origin {
    /// The model of a suite that was saved.
    pub fn of(saved: &SavedSymbolicSuite) -> Origin {
        Origin {
            model: saved.model.clone(),
            kind: saved.model_kind.clone(),
            component: saved.component.clone(),
            parameters: saved.parameters.clone(),
            sessions: saved.sessions.as_ref().map(read_sessions),
        }
    }
}

impl SymbolicTestOptions {
    /// How a suite was made that was saved.
    pub fn of(saved: &SavedSymbolicSuite) -> SymbolicTestOptions {
        let actions = PurposeActions::chosen(&saved.purpose_actions);
        let coverage = CoverageCriterion::chosen(&saved.coverage);
        SymbolicTestOptions {
            role: saved.role.clone(),
            user: Some(saved.user.clone()),
            play: saved.played.clone(),
            play_all: false,
            purpose: saved.purpose.clone(),
            actions: actions.unwrap_or_default(),
            contracts: saved.contracts.clone(),
            words: saved.words.clone(),
            derivation: Derivation {
                depth: saved.depth,
                coverage: coverage.unwrap_or(CoverageCriterion::Transitions),
                only_terminating: saved.only_terminating,
                incomplete: saved.incomplete,
                inclusion: saved.inclusion,
                merge: true,
            },
        }
    }
}

/// Sessions in the form that is saved.
pub(crate) fn save_sessions(sessions: &Sessions) -> SavedSessions {
    SavedSessions {
        count: match sessions.count {
            SessionCount::Exactly(count) => count,
            // No tests are made of any number of them.
            SessionCount::Any => 0,
        },
        by: sessions.identity.clone(),
        distinct: sessions.distinct,
        sharing: sessions.shared.clone(),
        own_queues: sessions.own_queues,
    }
}

fn read_sessions(saved: &SavedSessions) -> Sessions {
    Sessions {
        count: SessionCount::Exactly(saved.count.min(MOST_SESSIONS)),
        identity: saved.by.clone(),
        distinct: saved.distinct,
        shared: saved.sharing.clone(),
        own_queues: saved.own_queues,
    }
}

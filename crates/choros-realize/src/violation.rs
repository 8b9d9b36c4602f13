//! A broken condition of realizability.

use choros_base::CodeInfo;
use choros_data::{Terms, Var};
use choros_model::stg::{EdgeId, NodeId, Role, Stg};

use crate::Mode;
use crate::diagnostics::{
    race_with_time, uninformed_role, unknown_condition, unknown_data, unordered_interactions,
};

/// A broken condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Violation {
    /// Two consecutive interactions whose roles do not keep them in order.
    Unordered {
        /// The earlier one.
        first: EdgeId,
        /// The later one.
        second: EdgeId,
        /// The mode whose condition is broken.
        mode: Mode,
    },
    /// The sender of an interaction does not know a variable that its guard or its data need.
    UnknownData {
        /// The interaction.
        edge: EdgeId,
        /// Its sender.
        role: Role,
        /// What it does not know.
        variable: Var,
        /// Who knows it there.
        owners: Vec<Role>,
    },
    /// Data decide a branching, and a receiver can neither compute the decision nor see it by what it receives.
    UnknownCondition {
        /// Where it branches.
        node: NodeId,
        /// The branch on which the role receives.
        branch: EdgeId,
        /// The receiver.
        role: Role,
        /// The variable of the guard that it does not know.
        variable: Var,
        /// Who knows it there.
        owners: Vec<Role>,
    },
    /// A role decides a branching, and another one does not learn of it on a branch.
    Uninformed {
        /// Where it branches.
        node: NodeId,
        branch: EdgeId,
        /// Who does not learn of it.
        role: Role,
        /// Who decides: the dominant initiator.
        dominant: Role,
    },
    /// A message can be in transit when the time of its receiver is over.
    Race {
        /// The message.
        edge: EdgeId,
        /// The tick that the receiver may do instead.
        tick: EdgeId,
    },
}

impl Violation {
    /// The condition it breaks, as a word: `ordering`, `data` or `branching`.
    pub fn condition(&self) -> &'static str {
        match self {
            Violation::Unordered { .. } => "ordering",
            Violation::UnknownData { .. } => "data",
            Violation::UnknownCondition { .. } | Violation::Uninformed { .. } => "branching",
            Violation::Race { .. } => "time",
        }
    }

    /// The diagnostic that explains its kind.
    pub fn code(&self) -> &'static CodeInfo {
        match self {
            Violation::Unordered { .. } => &unordered_interactions::CODE,
            Violation::UnknownData { .. } => &unknown_data::CODE,
            Violation::UnknownCondition { .. } => &unknown_condition::CODE,
            Violation::Uninformed { .. } => &uninformed_role::CODE,
            Violation::Race { .. } => &race_with_time::CODE,
        }
    }

    /// The transitions it is about.
    pub fn edges(&self) -> Vec<EdgeId> {
        match *self {
            Violation::Unordered { first, second, .. } => vec![first, second],
            Violation::UnknownData { edge, .. } => vec![edge],
            Violation::UnknownCondition { branch, .. } | Violation::Uninformed { branch, .. } => {
                vec![branch]
            }
            Violation::Race { edge, tick } => vec![edge, tick],
        }
    }

    /// The roles it is about.
    pub fn roles(&self, stg: &Stg) -> Vec<Role> {
        match self {
            Violation::Unordered { .. } | Violation::Race { .. } => {
                let mut roles: Vec<Role> = Vec::new();
                for id in self.edges() {
                    if let Some(message) = stg.edge(id).event.message() {
                        for role in [message.from, message.to] {
                            if !roles.contains(&role) {
                                roles.push(role);
                            }
                        }
                    }
                }
                roles
            }
            Violation::UnknownData { role, .. } | Violation::UnknownCondition { role, .. } => {
                vec![*role]
            }
            Violation::Uninformed { role, dominant, .. } => vec![*dominant, *role],
        }
    }

    /// One sentence that says what is wrong.
    pub fn message(&self, stg: &Stg, terms: &Terms) -> String {
        let event = |id: EdgeId| stg.edge(id).event.shown(terms);
        let name = |role: &Role| terms.names.text(role.0).to_owned();
        let label = |node: &NodeId| stg.node(*node).label.clone();
        match self {
            Violation::Unordered { first, second, .. } => format!(
                "nothing makes `{}` wait for `{}`",
                event(*second),
                event(*first)
            ),
            Violation::UnknownData {
                edge,
                role,
                variable,
                ..
            } => format!(
                "`{}` does not know `{}`, which `{}` needs",
                name(role),
                terms.variable_text(*variable),
                stg.edge(*edge).shown(terms)
            ),
            Violation::UnknownCondition {
                node,
                branch,
                role,
                variable,
                ..
            } => format!(
                "in state {1} `{0}` cannot know whether `{2}` will come: it does not know `{3}`",
                name(role),
                label(node),
                event(*branch),
                terms.variable_text(*variable)
            ),
            Violation::Uninformed {
                node,
                branch,
                role,
                dominant,
            } => format!(
                "`{}` does not learn that `{}` chose `{}` in state {}",
                name(role),
                name(dominant),
                event(*branch),
                label(node)
            ),
            Violation::Race { edge, .. } => {
                let message = stg.edge(*edge).event.message();
                let to = message.map_or_else(String::new, |it| name(&it.to));
                format!(
                    "the time of `{to}` can be over while `{}` is in transit: both decide",
                    event(*edge)
                )
            }
        }
    }

    /// Why it is wrong.
    pub fn reason(&self, terms: &Terms) -> String {
        let list = |roles: &[Role]| -> String {
            let names: Vec<&str> = roles.iter().map(|role| terms.names.text(role.0)).collect();
            if names.is_empty() {
                "none".to_owned()
            } else {
                names.join(", ")
            }
        };
        match self {
            Violation::Unordered { mode, .. } => mode.condition().to_owned(),
            Violation::UnknownData { owners, .. } => {
                format!("roles that know it on every path: {}", list(owners))
            }
            Violation::UnknownCondition { owners, .. } => format!(
                "data decide here; roles that know the variable on every path: {}; and this role does not begin \
                 every branch by receiving",
                list(owners)
            ),
            Violation::Uninformed { .. } => {
                "no guards decide here, so one role must, and inform the others; this role \
                                             takes part later but receives nothing on this branch"
                    .to_owned()
            }
            Violation::Race { .. } => {
                "say in a `timeout` or after `within` what becomes of the late message: `late M { … }` answers it, \
                 `late M {}` ignores it"
                    .to_owned()
            }
        }
    }
}

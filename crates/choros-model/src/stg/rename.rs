//! Renaming of operations, roles and variables.

use choros_data::{Term, Terms, Var};
use rustc_hash::FxHashMap;

use super::{Edge, Event, Field, FieldValue, Message, Operation, Role, Stg, Update};

/// New names; what is not mentioned keeps its own.
///
/// The whole renaming is simultaneous, so names can be exchanged.
/// Giving two variables one name identifies them: that is how a caller lets two entities share a parameter.
#[derive(Debug, Clone, Default)]
pub struct Renaming {
    pub operations: FxHashMap<Operation, Operation>,
    pub roles: FxHashMap<Role, Role>,
    /// Variables; the new one has the sort of the old.
    pub variables: FxHashMap<Var, Var>,
}

/// The graph under other names.
pub fn rename(stg: &Stg, renaming: &Renaming, terms: &mut Terms) -> Stg {
    let replacement: FxHashMap<Var, Term> = renaming
        .variables
        .iter()
        .map(|(&old, &new)| (old, terms.var(new)))
        .collect();
    stg.map(
        terms,
        |terms, edge| Edge {
            guard: terms.substitute(edge.guard, &replacement),
            event: match &edge.event {
                Event::Message(message) => {
                    Event::Message(rename_message(message, renaming, &replacement, terms))
                }
                Event::Choose(chosen) => {
                    Event::Choose(chosen.iter().map(|&it| renaming.variable(it)).collect())
                }
                other => other.clone(),
            },
            updates: edge
                .updates
                .iter()
                .map(|update| Update {
                    variable: renaming.variable(update.variable),
                    value: terms.substitute(update.value, &replacement),
                })
                .collect(),
            ..*edge
        },
        |terms, guard| terms.substitute(guard, &replacement),
    )
}

impl Renaming {
    fn variable(&self, variable: Var) -> Var {
        self.variables.get(&variable).copied().unwrap_or(variable)
    }

    fn role(&self, role: Role) -> Role {
        self.roles.get(&role).copied().unwrap_or(role)
    }
}

fn rename_message(
    message: &Message,
    renaming: &Renaming,
    replacement: &FxHashMap<Var, Term>,
    terms: &mut Terms,
) -> Message {
    let operation = message.operation;
    Message {
        operation: renaming
            .operations
            .get(&operation)
            .copied()
            .unwrap_or(operation),
        from: renaming.role(message.from),
        to: renaming.role(message.to),
        fields: message
            .fields
            .iter()
            .map(|field| Field {
                label: field.label,
                value: match field.value {
                    FieldValue::Free(term) => FieldValue::Free(terms.substitute(term, replacement)),
                    FieldValue::Bind(variable) => FieldValue::Bind(renaming.variable(variable)),
                },
            })
            .collect(),
        ..message.clone()
    }
}

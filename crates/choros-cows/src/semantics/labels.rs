//! Labels of transitions and propositions of states.

use std::sync::Arc;

use choros_base::Name;
use choros_data::{Sort, Terms, Value};
use choros_model::lts::{Action, ActionId, Argument};
use choros_model::stg::Direction;
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use super::process::{Atom, Message};

/// Labels that were met, in the terms of the waist.
#[derive(Debug)]
pub(crate) struct Labels {
    pub(crate) terms: Terms,
    symbols: Vec<Name>,
    values: Vec<Value>,
    actions: Vec<Action>,
    ids: FxHashMap<Action, ActionId>,
}

impl Labels {
    pub(crate) fn new(symbols: &[Arc<str>]) -> Self {
        let mut terms = Terms::new();
        let symbols: Vec<(Name, Value)> = symbols
            .iter()
            .map(|text| {
                let name = terms.names.intern(text);
                let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
                let value = match text.parse::<BigInt>() {
                    Ok(number) if is_number => Value::Int(number),
                    _ => Value::Atom {
                        sort: Sort::SYMBOL,
                        name,
                    },
                };
                (name, value)
            })
            .collect();
        let (symbols, values) = symbols.into_iter().unzip();
        Labels {
            terms,
            symbols,
            values,
            actions: Vec::new(),
            ids: FxHashMap::default(),
        }
    }

    pub(crate) fn action(&self, id: ActionId) -> &Action {
        &self.actions[id.index()]
    }

    pub(crate) fn text(&self, id: ActionId) -> String {
        self.action(id).text(&self.terms)
    }

    /// A receive that is ready.
    pub(crate) fn receive(&mut self, message: &Message) -> ActionId {
        let action = self.endpoint(message, Direction::Receive);
        self.intern(action)
    }

    /// An invoke that is ready; `None` as long as its endpoint is not known.
    pub(crate) fn invoke(&mut self, message: &Message) -> Option<ActionId> {
        if message.partner.is_variable() || message.operation.is_variable() {
            return None;
        }
        let action = self.endpoint(message, Direction::Send);
        Some(self.intern(action))
    }

    /// The communication of an invoke; `None` as long as it has a variable.
    pub(crate) fn communication(&mut self, message: &Message) -> Option<ActionId> {
        if message.atoms().any(Atom::is_variable) {
            return None;
        }
        let action = self.endpoint(message, Direction::Interaction);
        Some(self.intern(action))
    }

    /// Parts of a service were terminated by force.
    pub(crate) fn forced_termination(&mut self) -> ActionId {
        self.intern(Action::Hidden("†"))
    }

    fn endpoint(&self, message: &Message, direction: Direction) -> Action {
        let arguments = message.tuple.iter().map(|&atom| match atom {
            atom if atom.is_variable() => Argument::Variable(self.symbols[spelling(atom)]),
            atom => Argument::Value(self.values[spelling(atom)].clone()),
        });
        Action::Offered {
            by: self.symbols[spelling(message.partner)],
            name: self.symbols[spelling(message.operation)],
            direction,
            arguments: arguments.collect(),
        }
    }

    fn intern(&mut self, action: Action) -> ActionId {
        if let Some(&id) = self.ids.get(&action) {
            return id;
        }
        let id = ActionId(self.actions.len() as u32);
        self.actions.push(action.clone());
        self.ids.insert(action, id);
        id
    }
}

/// Private names are shown as they are spelt.
fn spelling(atom: Atom) -> usize {
    match atom {
        Atom::Constant(symbol) => symbol as usize,
        Atom::Bound(id) => id.spelling as usize,
    }
}

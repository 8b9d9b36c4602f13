//! The interface that every unfolded behaviour implements.

use choros_base::Name;
use choros_data::{Terms, Value};

use super::Extent;
use crate::evidence::Configuration;
use crate::stg::Direction;

/// A state, numbered by the system that made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub u32);

/// A label, numbered by the system that made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActionId(pub u32);

choros_base::indices!(StateId, ActionId);

/// A concrete label.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Action {
    /// `τ`.
    Silent,
    /// Something with a name and values: a message, an invocation, a label of an `.aut` file.
    Named {
        /// The operation, or the whole label where nothing more is known of it.
        name: Name,
        /// Sender and receiver, where the model knows them.
        ends: Option<(Name, Name)>,
        /// Whose view it is.
        direction: Direction,
        /// Its data.
        arguments: Vec<Value>,
    },
    /// Something about an operation that one party offers to its callers.
    Offered {
        /// Who offers it.
        by: Name,
        /// The operation.
        name: Name,
        /// An interaction took place; a send or a receive is ready and waits for its other half.
        direction: Direction,
        /// Its data.
        arguments: Vec<Argument>,
    },
    /// Like `τ` to an observer, and shown to people by a sign of its own.
    Hidden(&'static str),
}

/// A datum of an operation that is offered.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Argument {
    /// What is sent, or must be equal to what is sent.
    Value(Value),
    /// What has no value yet; never part of a communication.
    Variable(Name),
}

/// Why a system cannot say what follows a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoSuccessors {
    /// The bound or defect, in words.
    pub reason: String,
}

/// A behaviour that is unfolded step by step.
///
/// States are `u32` ids in the instance's own store: equal states have equal ids, which is what makes exploration
/// end.
/// Methods take `&mut self` because unfolding a state creates others.
pub trait Lts {
    /// The store in which names and values of labels live.
    fn terms(&self) -> &Terms;

    /// Where runs start.
    fn initial(&mut self) -> StateId;

    /// Appends the labelled successors of a state, without repetitions, in an order that depends only on the model, and
    /// says whether a bound of the system itself (a full channel) kept some of them out.
    fn successors(
        &mut self,
        state: StateId,
        into: &mut Vec<(ActionId, StateId)>,
    ) -> Result<Extent, NoSuccessors>;

    /// The label after an id.
    fn action(&self, action: ActionId) -> &Action;

    /// Appends the propositions that hold in a state.
    fn propositions(
        &mut self,
        state: StateId,
        into: &mut Vec<ActionId>,
    ) -> Result<(), NoSuccessors>;

    /// Whether a state without successors has properly ended; otherwise it is a deadlock.
    fn ended(&self, state: StateId) -> bool;

    /// The state in words, for people.
    fn describe(&self, state: StateId) -> String;

    /// The state part by part, with what is under way between them.
    fn configuration(&self, state: StateId) -> Configuration {
        Configuration {
            parts: vec![("state".to_owned(), self.describe(state))],
            channels: Vec::new(),
        }
    }

    /// What happens in a step beyond what its label says, in words of the model's language: which receive took which
    /// invoke, as they are written.
    ///
    /// `None` where the label says it all.
    fn step_details(
        &mut self,
        _source: StateId,
        _action: ActionId,
        _target: StateId,
    ) -> Option<String> {
        None
    }
}

impl Action {
    /// The label as it is printed: `tau`, `Request[b,v](3)`, `coin`, `bank.charge<c,100>`, `bank.charge?<X>`, `†`.
    pub fn text(&self, terms: &Terms) -> String {
        match self {
            Action::Silent => "tau".to_owned(),
            Action::Named {
                name,
                ends,
                direction,
                arguments,
            } => {
                let mut text = terms.names.text(*name).to_owned();
                if let Some((from, to)) = ends {
                    text.push_str(&format!(
                        "[{},{}]",
                        terms.names.text(*from),
                        terms.names.text(*to)
                    ));
                }
                match direction {
                    Direction::Interaction => {}
                    Direction::Send => text.push('!'),
                    Direction::Receive => text.push('?'),
                }
                if !arguments.is_empty() {
                    let arguments: Vec<String> = arguments
                        .iter()
                        .map(|value| terms.print_value(value))
                        .collect();
                    text.push_str(&format!("({})", arguments.join(", ")));
                }
                text
            }
            Action::Offered {
                by,
                name,
                direction,
                arguments,
            } => {
                let sign = match direction {
                    Direction::Interaction => "",
                    Direction::Send => "!",
                    Direction::Receive => "?",
                };
                let arguments: Vec<String> = arguments
                    .iter()
                    .map(|argument| match argument {
                        Argument::Value(value) => terms.print_value(value),
                        Argument::Variable(name) => terms.names.text(*name).to_owned(),
                    })
                    .collect();
                format!(
                    "{}.{}{sign}<{}>",
                    terms.names.text(*by),
                    terms.names.text(*name),
                    arguments.join(",")
                )
            }
            Action::Hidden(sign) => (*sign).to_owned(),
        }
    }
}

//! The interface that every unfolded behaviour implements.

use choros_base::Name;
use choros_data::{Terms, Value};

use crate::stg::Direction;

/// A state, numbered by the system that made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub u32);

/// A label, numbered by the system that made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActionId(pub u32);

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
}

/// Why a system cannot say what follows a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stuck {
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

    /// Appends the labelled successors of a state, without repetitions, in an order that depends only on the model.
    fn successors(
        &mut self,
        state: StateId,
        into: &mut Vec<(ActionId, StateId)>,
    ) -> Result<(), Stuck>;

    /// The label behind an id.
    fn action(&self, action: ActionId) -> &Action;

    /// Appends the propositions that hold in a state.
    fn propositions(&mut self, state: StateId, into: &mut Vec<ActionId>) -> Result<(), Stuck>;

    /// Whether a state without successors has properly ended; otherwise it is a deadlock.
    fn ended(&self, state: StateId) -> bool;

    /// The state in words, for people.
    fn describe(&self, state: StateId) -> String;

    /// What took part in a step, in the model's own words, where the model knows more than the label says.
    fn step_detail(&self, _from: StateId, _action: ActionId, _to: StateId) -> Option<String> {
        None
    }
}

impl Action {
    /// The label as it is printed: `tau`, `Request[b,v](3)`, `coin`.
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
        }
    }
}

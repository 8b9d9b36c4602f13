//! What a test purpose says, once its names are resolved against the model it is for.

use choros_base::{Name, Span};
use choros_data::{Term, Terms, Var};
use choros_model::stg::{Direction, Message, Operation, Role, Update};

/// A test purpose: a graph beside the model's, which says which of the model's paths are wanted (Definition 3.3.7).
#[derive(Debug, Clone)]
pub struct Purpose {
    pub name: String,
    /// Its states; a number in a [`PurposeEdge`] is a position here.
    pub states: Vec<PurposeState>,
    /// Where it starts.
    pub initial: usize,
    /// Its transitions, in the order in which they are written.
    pub edges: Vec<PurposeEdge>,
    /// V_I: the variables it has besides those of the model, in order of first occurrence.
    pub variables: Vec<Var>,
}

#[derive(Debug, Clone)]
pub struct PurposeState {
    /// How it is called.
    pub name: String,
    /// Where it is written first.
    pub span: Span,
}

/// A transition of a purpose.
#[derive(Debug, Clone)]
pub struct PurposeEdge {
    /// Where it starts.
    pub source: usize,
    /// Where it leads.
    pub target: usize,
    /// When it may be taken, over the variables of model and purpose; closed.
    pub guard: Term,
    /// What it waits for.
    pub trigger: Trigger,
    /// What it writes, variables of its own only; those that keep the datum of a message come first.
    pub updates: Vec<Update>,
    /// Extra variables that take what the message carries, one per field of the message that is named.
    pub binders: Vec<Binder>,
    /// Where it is written.
    pub span: Span,
}

/// What a transition of a purpose waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Trigger {
    /// `*`: any communication or termination that no other transition of the state names.
    Any,
    /// `#`: the purpose is reached.
    Accept,
    /// `tau`: nothing of the model.
    Silent,
    /// `tick`: a unit of time of its own.
    Tick,
    /// `raise f`: the model raises a fault.
    Raise(Name),
    /// `end`: the model terminates.
    End,
    /// `USER.select?`: a message of the model.
    Message(MessageHead),
}

/// Which message of the orchestrator: the partner, the operation, who sends, which fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MessageHead {
    /// The other end.
    pub partner: Role,
    pub operation: Operation,
    /// The orchestrator's view of it.
    pub direction: Direction,
    /// The fault it carries.
    pub fault: Option<Name>,
}

/// An extra variable that keeps a field of the message which its transition waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Binder {
    /// Position of the field in the message.
    pub field: usize,
    /// What keeps it.
    pub variable: Var,
}

impl MessageHead {
    /// `USER.select?`, `USER.select!!wrongOffer`: the message without its data.
    pub fn text(&self, terms: &Terms) -> String {
        let sign = match (self.direction, self.fault.is_some()) {
            (Direction::Receive, false) => "?",
            (Direction::Receive, true) => "??",
            (_, false) => "!",
            (_, true) => "!!",
        };
        format!(
            "{}.{}{sign}{}",
            terms.names.text(self.partner.0),
            terms.names.text(self.operation.0),
            self.fault.map_or("", |fault| terms.names.text(fault))
        )
    }

    /// The head of a message in the graph of one role.
    ///
    /// An interaction, which has no view, belongs to its sender.
    pub fn of(message: &Message) -> MessageHead {
        let (partner, direction) = match message.direction {
            Direction::Receive => (message.from, Direction::Receive),
            Direction::Send | Direction::Interaction => (message.to, Direction::Send),
        };
        MessageHead {
            partner,
            operation: message.operation,
            direction,
            fault: message.fault,
        }
    }
}

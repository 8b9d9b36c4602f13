//! A path of the model that a test follows, over symbols.

use choros_base::Name;
use choros_data::{Term, Terms};
use choros_model::stg::{Operation, Role};

use super::message::{ConcreteMessage, heading};

/// A symbolic test case (Bentakouk 3.4.1): what happens along one path, and the condition on its symbols.
#[derive(Debug, Clone)]
pub struct SymbolicPath {
    /// How people call it.
    pub name: String,
    /// What happens, in order; what the tester does not see is left out.
    pub steps: Vec<SymbolicStep>,
    /// Conjuncts of the condition at its end.
    pub conditions: Vec<Term>,
    /// Whether nothing may follow: the path ends where the service has ended.
    pub is_complete: bool,
    /// Values at which one comparison of a guard decides; the path is followed with each of them.
    pub edges: Vec<Edge>,
}

/// Values at the edge of a guard.
#[derive(Debug, Clone)]
pub struct Edge {
    /// What is special about them.
    pub condition: Term,
    /// What the tester sends.
    pub sent: Vec<ConcreteMessage>,
}

/// A step that the tester takes part in.
#[derive(Debug, Clone)]
pub enum SymbolicStep {
    /// The tester sends this to the service.
    Send(PathMessage),
    /// The service sends this to the tester.
    Expect(PathMessage),
    /// One unit of time passes.
    Tick,
}

/// A message over symbols.
#[derive(Debug, Clone)]
pub struct PathMessage {
    /// What is invoked or answered.
    pub operation: Operation,
    /// Sender.
    pub from: Role,
    /// Receiver.
    pub to: Role,
    /// The fault it carries.
    pub fault: Option<Name>,
    /// One term per field.
    pub values: Vec<Term>,
}

impl PathMessage {
    /// Whether a message with values has the same operation, ends, outcome and number of fields.
    pub(crate) fn is_like(&self, message: &ConcreteMessage) -> bool {
        message.operation == self.operation
            && message.from == self.from
            && message.to == self.to
            && message.fault == self.fault
            && message.values.len() == self.values.len()
    }

    /// The message without its data, in the notation of its file.
    pub fn heading(&self, terms: &Terms) -> String {
        heading(self.operation, [self.from, self.to], self.fault, terms)
    }
}

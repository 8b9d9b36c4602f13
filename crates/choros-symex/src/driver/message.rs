//! Messages with concrete values: what a tester sends and what it sees.

use choros_base::Name;
use choros_data::{Notation, Terms, Value};
use choros_model::evidence::{Step, StepEvent};
use choros_model::stg::{Direction, Message, Operation, Role};

/// A message that was sent, with the values it carried.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ConcreteMessage {
    /// What is invoked or answered.
    pub operation: Operation,
    /// Sender.
    pub from: Role,
    /// Receiver.
    pub to: Role,
    /// The fault it carries, if it is the faulty outcome of an operation.
    pub fault: Option<Name>,
    /// One value per field, in the order of the model.
    pub values: Vec<Value>,
}

impl ConcreteMessage {
    /// Whether a message of the model has the same operation, ends, outcome and number of fields.
    pub fn is_like(&self, message: &Message) -> bool {
        self.operation == message.operation
            && self.from == message.from
            && self.to == message.to
            && self.fault == message.fault
            && self.values.len() == message.fields.len()
    }

    /// The length of the longest list in it.
    pub(crate) fn longest_list(&self) -> usize {
        let mut longest = 0;
        let mut stack: Vec<&Value> = self.values.iter().collect();
        while let Some(value) = stack.pop() {
            match value {
                Value::List { items, .. } => {
                    longest = longest.max(items.len());
                    stack.extend(items);
                }
                Value::Record { fields, .. } => stack.extend(fields),
                _ => {}
            }
        }
        longest
    }

    /// The message with its values: `request[USER,Loan](7)`, or `USER -> Loan: request(7)`.
    pub fn text(&self, terms: &Terms) -> String {
        let mut text = heading(self.operation, [self.from, self.to], self.fault, terms);
        let values: Vec<String> = self
            .values
            .iter()
            .map(|value| terms.print_value(value))
            .collect();
        if !values.is_empty() {
            text.push_str(&format!("({})", values.join(", ")));
        }
        text
    }

    /// The message as a step of a run, told by the service under test.
    pub fn step(&self, service: Role, terms: &Terms) -> Step {
        let name = |name| terms.names.text(name).to_owned();
        let operation = match self.fault {
            Some(fault) => format!("{}#{}", name(self.operation.0), name(fault)),
            None => name(self.operation.0),
        };
        Step {
            event: StepEvent::Message {
                operation,
                from: name(self.from.0),
                to: name(self.to.0),
                direction: if self.from == service {
                    Direction::Send
                } else {
                    Direction::Receive
                },
                fields: self
                    .values
                    .iter()
                    .map(|value| (String::new(), terms.print_value(value)))
                    .collect(),
            },
            guard: None,
            bindings: Vec::new(),
            states: None,
            origin: None,
        }
    }
}

/// A message without its data, in the notation of its file, with the fault it carries.
pub(super) fn heading(
    operation: Operation,
    ends: [Role; 2],
    fault: Option<Name>,
    terms: &Terms,
) -> String {
    let name = |name| terms.names.text(name);
    let [from, to] = ends;
    let [operation, from, to] = [operation.0, from.0, to.0].map(name);
    let mut text = match terms.notation {
        Notation::Calculus => format!("{operation}[{from},{to}]"),
        Notation::Native => format!("{from} -> {to}: {operation}"),
    };
    if let Some(fault) = fault {
        text.push('#');
        text.push_str(name(fault));
    }
    text
}

//! What networks and crashes do, as events of a graph.

use choros_base::Name;
use choros_data::Terms;

use super::event::name_text;
use super::{Operation, Role};
use crate::evidence::{FaultStep, MessageFault};

/// Something that no role does: it happens to a message or to a role, or a role notices it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Disturbance {
    /// A message in transit vanishes.
    Lost(Operation, Role, Role),
    /// A message in transit will arrive more than once.
    Doubled(Operation, Role, Role),
    /// A message overtakes others of its sender and receiver.
    Overtakes(Operation, Role, Role),
    /// A role stops forever.
    Crash(Role),
    /// `on crash of r`: a role notices that another has stopped.
    Noticed { crashed: Role, by: Role },
}

impl Disturbance {
    /// Whether it is done to the roles, and not by one of them.
    pub fn is_fault(self) -> bool {
        !matches!(self, Disturbance::Noticed { .. })
    }

    /// `lost Charged[payment,order]`, `crash of payment noticed by order`.
    pub fn text(self, terms: &Terms) -> String {
        self.written(&|name| name_text(name, terms).into_owned())
    }

    /// The same, with names written as a language writes them.
    pub fn written(self, name: &dyn Fn(Name) -> String) -> String {
        let message = |word, operation: Operation, from: Role, to: Role| {
            let [operation, from, to] = [operation.0, from.0, to.0].map(name);
            format!("{word} {operation}[{from},{to}]")
        };
        match self {
            Disturbance::Lost(operation, from, to) => message("lost", operation, from, to),
            Disturbance::Doubled(operation, from, to) => message("doubled", operation, from, to),
            Disturbance::Overtakes(operation, from, to) => {
                message("overtaking", operation, from, to)
            }
            Disturbance::Crash(role) => format!("crash of {}", name(role.0)),
            Disturbance::Noticed { crashed, by } => {
                format!("crash of {} noticed by {}", name(crashed.0), name(by.0))
            }
        }
    }

    /// `lost: payment -> order: Charged`, as people read it.
    pub fn shown(self, terms: &Terms) -> String {
        self.step(terms).text()
    }

    /// The same as a step of a run.
    pub fn step(self, terms: &Terms) -> FaultStep {
        let name = |name| terms.names.text(name).to_owned();
        let message = |what, operation: Operation, from: Role, to: Role| FaultStep::Message {
            what,
            operation: name(operation.0),
            from: name(from.0),
            to: name(to.0),
        };
        match self {
            Disturbance::Lost(operation, from, to) => {
                message(MessageFault::Lost, operation, from, to)
            }
            Disturbance::Doubled(operation, from, to) => {
                message(MessageFault::Doubled, operation, from, to)
            }
            Disturbance::Overtakes(operation, from, to) => {
                message(MessageFault::Overtakes, operation, from, to)
            }
            Disturbance::Crash(role) => FaultStep::Crash { role: name(role.0) },
            Disturbance::Noticed { crashed, by } => FaultStep::Noticed {
                crashed: name(crashed.0),
                by: name(by.0),
            },
        }
    }
}

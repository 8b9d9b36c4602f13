//! A machine as a graph without data.

use choros_data::{Term, Terms};

use super::{Cfsm, Polarity};
use crate::stg::{
    Direction, Edge, Ending, Event, Message, NodeId, Operation, Role, Stg, StgBuilder,
};

impl Cfsm {
    /// The machine as the graph of its participant: a state that nothing leaves terminates.
    pub fn graph(&self, terms: &mut Terms) -> Stg {
        let name = terms.names.text(self.participant()).to_owned();
        let mut builder = StgBuilder::new(name, Ending::Sinks);
        for state in self.states() {
            builder.node(state.0.to_string());
        }
        for state in self.states() {
            for one in self.outgoing(state) {
                let (from, to) = one.action.sender_and_receiver(self.participant());
                let edge = Edge {
                    source: NodeId(state.0),
                    target: NodeId(one.target.0),
                    guard: Term::TRUE,
                    event: Event::Message(Message {
                        operation: Operation(one.action.message),
                        from: Role(from),
                        to: Role(to),
                        direction: match one.action.polarity {
                            Polarity::Output => Direction::Send,
                            Polarity::Input => Direction::Receive,
                        },
                        fault: None,
                        fields: Vec::new(),
                    }),
                    updates: Vec::new(),
                    origin: one.origin,
                };
                builder.edge(terms, edge);
            }
        }
        builder.finish(NodeId(self.initial().0))
    }
}

//! Choreographies in which a message is sent at one time and received at another, as engines ask for them.
//!
//! In most choreographies a message is one step.
//! Where a timeout and a message race it cannot be: whether the message was in time is decided when it is received, and
//! what else was sent meanwhile matters.
//! There the graph has both halves of a message, as two edges, and is called *split*.
//!
//! The graph of one role has halves too, but never both of one message.

use choros_data::Terms;
use rustc_hash::FxHashSet;

use super::{Direction, Edge, Event, Message, Operation, Role, Stg, StgBuilder, Update, prune};

/// Whether the graph has both halves of a message.
pub fn is_split(stg: &Stg) -> bool {
    let halves = |direction: Direction| -> FxHashSet<(Operation, Role, Role)> {
        stg.messages()
            .filter(|message| message.direction == direction)
            .map(|message| (message.operation, message.from, message.to))
            .collect()
    };
    !halves(Direction::Send).is_disjoint(&halves(Direction::Receive))
}

/// A split choreography as one who sees what is sent: a message happens when it is sent, its reception is silent.
///
/// Any other graph stays as it is.
pub fn sent_view(stg: &Stg, terms: &mut Terms) -> Stg {
    if !is_split(stg) {
        return stg.clone();
    }
    let seen = |_: &mut Terms, edge: &Edge| Edge {
        event: match &edge.event {
            Event::Message(message) if message.direction == Direction::Receive => Event::Silent,
            Event::Message(message) => Event::Message(interaction(message)),
            other => other.clone(),
        },
        ..edge.clone()
    };
    stg.map(terms, seen, |_, guard| guard)
}

/// A split choreography where both ends meet: a message is received in the moment in which it is sent, or not at all.
///
/// Any other graph stays as it is.
pub fn met_view(stg: &Stg, terms: &mut Terms) -> Stg {
    if !is_split(stg) {
        return stg.clone();
    }
    let mut builder = StgBuilder::new(stg.name(), stg.ending());
    for node in stg.nodes() {
        let new = builder.node(node.label.clone());
        for termination in &node.terminations {
            builder.terminate(terms, new, termination.guard, termination.origin);
        }
    }
    for edge in stg.edges() {
        let Some(message) = edge.event.message() else {
            builder.edge(terms, edge.clone());
            continue;
        };
        match message.direction {
            Direction::Interaction => {
                builder.edge(terms, edge.clone());
            }
            Direction::Receive => {}
            Direction::Send => {
                for (_, taken) in stg.outgoing(edge.target) {
                    if taken
                        .event
                        .message()
                        .is_some_and(|it| is_received(message, it))
                    {
                        let guard = terms.and([edge.guard, taken.guard]);
                        let updates: Vec<Update> =
                            edge.updates.iter().chain(&taken.updates).copied().collect();
                        let met = Edge {
                            source: edge.source,
                            target: taken.target,
                            guard,
                            event: Event::Message(interaction(message)),
                            updates,
                            origin: edge.origin,
                        };
                        builder.edge(terms, met);
                    }
                }
            }
        }
    }
    let met = builder.finish_as_built(stg.initial());
    prune(&met, terms, |_| true, |_, _| true).with_tick(stg.tick())
}

/// A split choreography as one who sees what is received: a message happens when it is taken, its sending is silent and
/// settles the values that it brings.
///
/// Any other graph stays as it is.
pub fn received_view(stg: &Stg, terms: &mut Terms) -> Stg {
    if !is_split(stg) {
        return stg.clone();
    }
    let seen = |_: &mut Terms, edge: &Edge| Edge {
        event: match &edge.event {
            Event::Message(message) if message.direction == Direction::Send => {
                Event::silent(edge.event.bound_variables().collect())
            }
            Event::Message(message) => Event::Message(interaction(message)),
            other => other.clone(),
        },
        ..edge.clone()
    };
    stg.map(terms, seen, |_, guard| guard)
}

/// The graph in which no one sees the clocks of roles.
pub fn timeless(stg: &Stg, terms: &mut Terms) -> Stg {
    let seen = |_: &mut Terms, edge: &Edge| Edge {
        event: match edge.event {
            Event::TickOf(_) => Event::Silent,
            ref other => other.clone(),
        },
        ..edge.clone()
    };
    stg.map(terms, seen, |_, guard| guard)
}

fn interaction(message: &Message) -> Message {
    Message {
        direction: Direction::Interaction,
        ..message.clone()
    }
}

/// Whether the second is the reception of the first.
fn is_received(sent: &Message, taken: &Message) -> bool {
    taken.direction == Direction::Receive
        && (sent.operation, sent.from, sent.to, sent.fault)
            == (taken.operation, taken.from, taken.to, taken.fault)
}

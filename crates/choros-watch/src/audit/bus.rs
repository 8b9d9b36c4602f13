//! Messages as a bus has them: each once, by the one that sent it.
//!
//! Who receives a message on a bus leaves no record of it.
//! If the roles of a model take turns, so that never two of them can send, the place of a message on the bus is as good
//! as a record of its receiver: a role that keeps to the model waits for it and sends nothing before.
//! Otherwise messages can cross, and where one was received among those that its receiver sent is not known.

use std::borrow::Cow;

use choros_model::observation::Observation;
use choros_model::stg::{Direction, Event, Stg};

/// Whether at no point of a choreography two roles can send.
pub(super) fn takes_turns(stg: &Stg) -> bool {
    // Nodes between which no message is sent are one point.
    let mut points: Vec<usize> = (0..stg.nodes().len()).collect();
    for edge in stg.edges() {
        if !matches!(edge.event, Event::Message(_)) {
            let ends = [edge.source, edge.target].map(|it| first(&mut points, it.0 as usize));
            points[ends[0]] = ends[1];
        }
    }
    let mut senders = vec![None; points.len()];
    stg.edges().iter().all(|edge| {
        let Event::Message(message) = &edge.event else {
            return true;
        };
        let point = first(&mut points, edge.source.0 as usize);
        let known = senders[point].get_or_insert(message.from);
        message.direction == Direction::Interaction && *known == message.from
    })
}

fn first(points: &mut [usize], mut at: usize) -> usize {
    while points[at] != at {
        points[at] = points[points[at]];
        at = points[at];
    }
    at
}

/// Each message with both its ends.
pub(super) fn with_receivers(sent: Vec<Observation<'static>>) -> Vec<Observation<'static>> {
    let mut all = Vec::with_capacity(2 * sent.len());
    for mut seen in sent {
        // Both ends have an identity in common, and no other message has it.
        let line = seen.line;
        seen.id
            .get_or_insert_with(|| Cow::Owned(format!("record {line}")));
        let mut received = seen.clone();
        received.by = seen.to.clone();
        received.direction = Direction::Receive;
        all.extend([seen, received]);
    }
    all
}

//! What a test hears from the network.

use crate::codec::{Incoming, Reply};

/// Something that happened.
#[derive(Debug)]
pub(crate) enum Event {
    /// No connection to the service.
    Unreachable { call: u64, reason: String },
    /// There was a connection, and no response.
    Broken { call: u64, reason: String },
    /// A connection that was kept open broke when it was used again.
    Stale { call: u64, reason: String },
    /// A response, or why its body is of no use.
    Answered {
        call: u64,
        reply: Result<Reply, String>,
    },
    /// A request to a role that the tester plays; its body may be of no use.
    Called {
        ticket: u64,
        incoming: Result<Incoming, String>,
    },
    /// A request of which no one knows yet to which of several tests it belongs.
    Offered { ticket: u64, incoming: Incoming },
    /// A request that may belong to this test, or to another.
    Disputed { reason: String },
}

impl Event {
    /// What it is, in words.
    pub(crate) fn text(self) -> String {
        match self {
            Event::Unreachable { reason, .. }
            | Event::Broken { reason, .. }
            | Event::Stale { reason, .. } => reason,
            Event::Answered { reply, .. } => match reply {
                Ok(reply) => format!("a response with status {}", reply.status),
                Err(reason) => reason,
            },
            Event::Called { incoming, .. } => match incoming {
                Ok(incoming) => format!("{} {}", incoming.method, incoming.target),
                Err(reason) => reason,
            },
            Event::Offered { incoming, .. } => format!("{} {}", incoming.method, incoming.target),
            Event::Disputed { reason } => reason,
        }
    }
}

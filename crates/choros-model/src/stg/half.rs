//! What edges have to do with queues.

use rustc_hash::FxHashSet;

use super::{Direction, Edge, Event};

/// What an edge has to do with queues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Half {
    /// Puts a message of a kind into a channel.
    Sends { channel: usize, kind: usize },
    /// Takes a message of a kind from a channel.
    Receives { channel: usize, kind: usize },
    /// The time that all share, which does not pass here.
    Never,
    /// Anything else.
    Other,
}

/// What an edge has to do with queues; `place` gives channel and kind of a message.
pub(super) fn half(
    edge: &Edge,
    place: impl FnOnce(&super::Message) -> Option<(usize, usize)>,
) -> Half {
    match &edge.event {
        Event::Tick => Half::Never,
        Event::Message(message) => match (message.direction, place(message)) {
            (Direction::Send, Some((channel, kind))) => Half::Sends { channel, kind },
            (Direction::Receive, Some((channel, kind))) => Half::Receives { channel, kind },
            _ => Half::Other,
        },
        _ => Half::Other,
    }
}

/// For each channel the components that have an edge of which `channel` names it.
pub(super) fn users(
    halves: &[Vec<Half>],
    channels: usize,
    channel: impl Fn(Half) -> Option<usize>,
) -> Vec<FxHashSet<usize>> {
    let mut users = vec![FxHashSet::default(); channels];
    for (index, own) in halves.iter().enumerate() {
        for used in own.iter().filter_map(|&half| channel(half)) {
            users[used].insert(index);
        }
    }
    users
}

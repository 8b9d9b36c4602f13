//! How services communicate, and what that asks of consecutive interactions.

use choros_base::Choice;
use choros_model::stg::{Message, Role};

/// A communication mode (sections 2.2.3 and 3.4.1 of Nguyen's thesis).
///
/// `α!` is the sending of an interaction and `α?` its reception: the same moment in the synchronous mode, otherwise
/// the reception is later.
/// The mode says which of these moments must be ordered for `α₁` to come before `α₂`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Rendezvous.
    #[default]
    Synchronous,
    /// `α₁! < α₂!`: interactions are ordered by their sendings.
    Sender,
    /// `α₁? < α₂?`: interactions are ordered by their receptions.
    Receiver,
    /// `α₁? < α₂!`: nothing is sent before everything has arrived.
    Disjoint,
    /// Per role: each keeps its own order, and nothing else is ordered.
    Peers,
}

impl Choice for Mode {
    const CHOICES: &'static [(&'static str, Mode, &'static str)] = &[
        (
            "sync",
            Mode::Synchronous,
            "Synchronous: sending and receiving are one step",
        ),
        ("sender", Mode::Sender, "Asynchronous, ordered by sends"),
        (
            "receiver",
            Mode::Receiver,
            "Asynchronous, ordered by receives",
        ),
        (
            "disjoint",
            Mode::Disjoint,
            "Asynchronous, each message arrives before the next is sent",
        ),
        (
            "peers",
            Mode::Peers,
            "Asynchronous, each role keeps its own order, over queues of any length",
        ),
    ];
}

impl Mode {
    /// All modes: those of the thesis in the order of its tables, then ours.
    pub const ALL: [Mode; 5] = [
        Mode::Synchronous,
        Mode::Sender,
        Mode::Receiver,
        Mode::Disjoint,
        Mode::Peers,
    ];

    /// What has to be ordered, in words.
    pub fn words(self) -> &'static str {
        match self {
            Mode::Synchronous => "synchronous: sending and receiving are one step",
            Mode::Sender => "asynchronous, ordered by sends",
            Mode::Receiver => "asynchronous, ordered by receives",
            Mode::Disjoint => "asynchronous, each message arrives before the next is sent",
            Mode::Peers => "asynchronous, each role keeps its own order, over queues of any length",
        }
    }

    /// Whether the roles of two consecutive interactions keep them in order (the table of 3.4.1).
    pub fn connected(self, first: &Message, second: &Message) -> bool {
        let (s1, r1, s2, r2) = (first.from, first.to, second.from, second.to);
        match self {
            Mode::Synchronous => s1 == s2 || s1 == r2 || r1 == s2 || r1 == r2,
            Mode::Sender => s2 == s1 || s2 == r1,
            Mode::Receiver => r2 == r1 || s2 == r1,
            Mode::Disjoint => s2 == r1,
            Mode::Peers => true,
        }
    }

    /// The condition of [`Mode::connected`] in words.
    pub(crate) fn condition(self) -> &'static str {
        match self {
            Mode::Synchronous => "they have no role in common",
            Mode::Sender => "the sender of the second takes no part in the first",
            Mode::Receiver => "the receiver of the first takes no part in the second",
            Mode::Disjoint => "the sender of the second does not receive the first",
            Mode::Peers => "this mode does not ask for any order between them",
        }
    }

    /// Who may start an interaction: either end in the synchronous mode, otherwise the sender.
    pub(crate) fn initiates(self, role: Role, message: &Message) -> bool {
        role == message.from || (self == Mode::Synchronous && role == message.to)
    }

    /// Senders and receivers of a message that puts `second` in order after `first`, the best first.
    ///
    /// These are all: in each mode, the conditions on the pairs (first, new) and (new, second) leave no others once
    /// the pair (first, second) is not in order itself.
    pub(crate) fn bridges(self, first: &Message, second: &Message) -> Vec<(Role, Role)> {
        let (from, to): (&[Role], &[Role]) = match self {
            Mode::Synchronous => (&[first.from, first.to], &[second.from, second.to]),
            Mode::Sender => (&[first.from, first.to], &[second.from]),
            Mode::Receiver => (&[first.to], &[second.from, second.to]),
            Mode::Disjoint => (&[first.to], &[second.from]),
            Mode::Peers => (&[], &[]),
        };
        let mut bridges = Vec::new();
        for &to in to {
            for &from in from {
                if from != to && !bridges.contains(&(from, to)) {
                    bridges.push((from, to));
                }
            }
        }
        bridges
    }
}

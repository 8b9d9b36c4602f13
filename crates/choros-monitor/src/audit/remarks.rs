//! What is worth knowing about messages of which the logs tell only in part.

use super::judge::counted;

/// How many messages, or sessions, there were of each kind.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Remarks {
    /// Messages that are sent and not in the log of the receiver.
    pub(super) on_their_way: usize,
    /// Such messages without a place among the others.
    pub(super) strays: usize,
    /// Messages that are received and not in the log of the sender.
    pub(super) unsent: usize,
    /// Messages of which sending and reception do not stand side by side.
    pub(super) parted: usize,
    /// Sessions in which messages cross.
    pub(super) crossed: usize,
}

impl Remarks {
    /// Adds those of other sessions.
    pub(super) fn add(&mut self, other: Remarks) {
        self.on_their_way += other.on_their_way;
        self.strays += other.strays;
        self.unsent += other.unsent;
        self.parted += other.parted;
        self.crossed += other.crossed;
    }

    /// The remarks in words.
    pub(super) fn words(self) -> Vec<String> {
        let mut words = Vec::new();
        if self.on_their_way > 0 {
            words.push(format!(
                "{} missing from the log of the receiver and assumed to arrive",
                counted(self.on_their_way, "sent message is", "sent messages are")
            ));
        }
        if self.strays > 0 {
            words.push(format!(
                "{} missing from the log of the receiver, with no place in the global order",
                counted(self.strays, "sent message is", "sent messages are")
            ));
        }
        if self.unsent > 0 {
            words.push(format!(
                "{} missing from the log of the sender and assumed to be sent",
                counted(self.unsent, "received message is", "received messages are")
            ));
        }
        if self.parted > 0 {
            words.push(format!(
                "{} no place in the global order, because something was observed between sending and receiving",
                counted(self.parted, "message has", "messages have")
            ));
        }
        if self.crossed > 0 {
            words.push(format!(
                "messages cross in transit in {}: judged by the order in which they were sent",
                counted(self.crossed, "session", "sessions")
            ));
        }
        words
    }
}

//! How messages travel.

/// The order in which messages of one channel arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Channels {
    /// One queue for each sender and receiver: what is sent first arrives first.
    Fifo,
    /// One multiset for each sender and receiver: what was sent may overtake.
    Bag,
    /// No buffer: sender and receiver act together.
    Synchronous,
}

/// How messages travel, and how many may wait in one channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Discipline {
    /// The order.
    pub channels: Channels,
    /// How many messages may wait in one channel; without meaning for synchronous channels.
    pub bound: u32,
}

impl Channels {
    /// All of them.
    pub const ALL: [Channels; 3] = [Channels::Fifo, Channels::Bag, Channels::Synchronous];

    /// The word on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Channels::Fifo => "fifo",
            Channels::Bag => "bag",
            Channels::Synchronous => "sync",
        }
    }

    /// The channels with this word.
    pub fn named(word: &str) -> Option<Channels> {
        Self::ALL.into_iter().find(|it| it.word() == word)
    }
}

impl Discipline {
    /// Queues with this many places.
    pub fn fifo(bound: u32) -> Self {
        Self {
            channels: Channels::Fifo,
            bound,
        }
    }

    /// Multisets with this many places.
    pub fn bag(bound: u32) -> Self {
        Self {
            channels: Channels::Bag,
            bound,
        }
    }

    /// No buffers.
    pub fn synchronous() -> Self {
        Self {
            channels: Channels::Synchronous,
            bound: 0,
        }
    }
}

impl std::fmt::Display for Discipline {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.channels {
            Channels::Fifo => write!(f, "queues with {} places", self.bound),
            Channels::Bag => write!(f, "multisets with {} places", self.bound),
            Channels::Synchronous => write!(f, "synchronous"),
        }
    }
}

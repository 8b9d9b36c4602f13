//! What a partition of a stream holds.

use choros_model::observation::{Number, Observation};
use choros_monitor::Mark;

/// An entry, with its place in the stream of its partition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// From 1, and greater than those before it.
    pub sequence: u64,
    pub content: Content,
}

/// What an entry says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// These were observed, in this order; they share an entry because many small ones cost a broker more.
    Seen(Vec<Observation<'static>>),
    /// It is this time, in milliseconds: what was to come before did not come.
    Tick(Number),
    /// From here on the properties of this version are watched.
    Change(u32),
    /// Nothing more will come; the last message of each log, whichever partition it is in.
    End(Vec<(String, Mark)>),
}

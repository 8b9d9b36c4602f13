//! Which side of a message one sees.

/// Whose view of a message it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// Sending and reception as one: the view of a choreography (`.`).
    Interaction,
    /// The sender's view (`!`).
    Send,
    /// The receiver's view (`?`).
    Receive,
}

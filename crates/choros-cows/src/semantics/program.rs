//! What the semantics starts from.

use std::sync::Arc;

use choros_base::Span;

use super::process::Block;

/// A term that can be executed.
#[derive(Debug, Clone)]
pub struct Program {
    /// Texts of names, values and what is delimited.
    pub(crate) symbols: Vec<Arc<str>>,
    pub(crate) initial: Block,
    /// Where each activity is written, in the order of the text with definitions in place of calls.
    pub(crate) origins: Vec<Span>,
}

impl Program {
    /// Whether it has an activity at all: everything else is congruent to `nil`.
    pub fn is_active(&self) -> bool {
        !self.initial.body.is_empty()
    }
}

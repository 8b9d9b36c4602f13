//! What the verbs say about communicating machines.

mod check;
mod draw;
mod explore;
mod findings;

pub(super) use check::check;
pub(super) use draw::draw;
pub(super) use explore::explore;

//! What the verbs say about communicating machines.

mod check;
mod comply;
mod draw;
mod executable;
mod explore;
mod findings;
mod load;
mod mutate;
mod payloads;
mod run;
mod study;
mod subtrees;
mod suite;
mod tests;

pub(super) use check::check;
pub(super) use draw::draw;
pub(super) use explore::explore;
pub(super) use findings::tell_discipline;

pub use comply::comply;
pub use mutate::{Mutating, mutate};
pub use run::explore_system;
pub use suite::Testing;
pub use tests::{TestForm, tests};

//! What the verbs say about communicating machines.

mod check;
mod comply;
mod executable;
mod findings;
mod load;
mod mutate;
mod payloads;
mod study;
mod subtrees;
mod suite;
mod tests;

pub(super) use check::check;
pub(super) use findings::tell_discipline;
pub(super) use load::{find_participant, machines_of};
pub(super) use study::study;

pub use comply::comply;
pub use mutate::{Mutating, mutate};
pub use suite::Testing;
pub use tests::{TestForm, tests};

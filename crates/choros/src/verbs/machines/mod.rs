//! What the verbs say about communicating machines.

mod check;
mod comply;
mod findings;
mod load;
mod mutate;
#[cfg(feature = "emitters")]
mod program;
mod suite;
mod tests;

pub(super) use check::{check, study};
pub(super) use findings::tell_discipline;
pub(super) use load::{find_participant, machines_of};
pub(super) use tests::tests;

pub use comply::{ComplyRequest, comply};
pub use mutate::{MutateRequest, mutate};

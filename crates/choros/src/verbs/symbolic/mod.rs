//! What the verbs say about orchestrations and other graphs of one role, by symbolic execution.

mod check;
mod derive;
mod explore;
mod load;
mod tests;

pub(super) use check::check_purposes;
pub use choros_symex::{CoverageCriterion, Derivation, Derived, PurposeActions};
pub use derive::derive;
#[cfg(feature = "network")]
pub(super) use derive::{model_of, restored, settings_of};
pub use explore::{ProductRequest, explore_product};
pub(super) use tests::tests;

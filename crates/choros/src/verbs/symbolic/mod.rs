//! What the verbs say about orchestrations and other graphs of one role, by symbolic execution.

mod check;
mod derive;
mod explore;
mod load;
#[cfg(feature = "network")]
mod restored;
mod tests;

pub(super) use check::check_purposes;
pub use choros_symex::{CoverageCriterion, Derivation, DerivedTests, PurposeActions};
pub use derive::derive;
pub use explore::{ProductRequest, explore_product};
#[cfg(feature = "network")]
pub(super) use restored::{model_of, restored, settings_of};
pub(super) use tests::tests;

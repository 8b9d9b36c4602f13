//! What the verbs say about orchestrations and other graphs of one role, by symbolic execution.

mod check;
mod derive;
#[cfg_attr(not(feature = "network"), allow(dead_code))]
mod drawing;
#[cfg_attr(not(feature = "network"), allow(dead_code))]
mod evidence;
mod explore;
#[cfg(feature = "network")]
mod http;
mod load;
#[cfg(feature = "network")]
mod message;
#[cfg(feature = "network")]
mod restore;
#[cfg(feature = "network")]
mod save;
#[cfg(feature = "network")]
mod tests;

pub use check::check_purposes;
pub use choros_symex::{CoverageCriterion, Derived, PurposeActions};
pub use derive::{SymbolicTesting, derive};
pub use explore::explore_product;
#[cfg(feature = "network")]
pub(super) use message::{read_message, save_message};
#[cfg(feature = "network")]
pub(super) use restore::{model_of, restore, settings_of, testing_of};
#[cfg(feature = "network")]
pub(super) use save::save;
#[cfg(feature = "network")]
pub use tests::{SymbolicForm, SymbolicTests, symbolic_tests};

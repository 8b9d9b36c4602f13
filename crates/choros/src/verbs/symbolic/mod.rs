//! What the verbs say about orchestrations and other graphs of one role, by symbolic execution.

mod check;
mod derive;
mod drawing;
mod evidence;
mod explore;
mod http;
mod load;
mod message;
mod restore;
mod save;
mod tests;

pub use check::check_purposes;
pub use choros_symex::{CoverageCriterion, Derived, PurposeActions};
pub use derive::{SymbolicTesting, derive};
pub use explore::explore_product;
pub(super) use message::{read_message, save_message};
pub(super) use restore::{model_of, restore, settings_of, testing_of};
pub(super) use save::save;
pub use tests::{SymbolicForm, SymbolicTests, symbolic_tests};

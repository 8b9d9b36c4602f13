//! What the verbs say about orchestrations and other graphs of one role, by symbolic execution.

mod check;
mod derive;
mod drawing;
mod evidence;
mod explore;
mod http;
mod load;
mod save;
mod tests;

pub use check::check_purposes;
pub use choros_symex::{CoverageCriterion, Derived, PurposeActions};
pub use derive::{SymbolicTesting, derive};
pub use explore::explore_product;
pub(super) use save::{changed, save_asked};
pub use tests::{SymbolicForm, SymbolicTests, symbolic_tests};

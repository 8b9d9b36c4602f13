//! Labelled transition systems: graphs unfolded step by step.

mod explicit;
mod explore;
mod system;

pub use explicit::{ExplicitLts, ExplicitLtsBuilder, LtsCounts};
pub use explore::{Exploration, explore};
pub use system::{Action, ActionId, Lts, StateId, Stuck};

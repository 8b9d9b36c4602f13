//! Labelled transition systems: graphs unfolded step by step.

mod aut;
mod explicit;
mod explore;
mod system;

pub use aut::{read_aut, write_aut};
pub use explicit::{ExplicitLts, ExplicitLtsBuilder, LtsCounts};
pub use explore::{Exploration, explore};
pub use system::{Action, ActionId, Argument, Lts, StateId, Stuck};

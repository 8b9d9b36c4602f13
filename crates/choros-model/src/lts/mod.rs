//! Labelled transition systems: graphs unfolded step by step.

mod system;

pub use system::{Action, ActionId, Lts, StateId, Stuck};

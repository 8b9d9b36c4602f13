//! Labelled transition systems: graphs unfolded step by step.

mod aut;
mod census;
mod explicit;
mod explore;
mod extent;
mod sessions;
mod system;
mod transitions;
mod valued;

pub use aut::{read_aut, write_aut};
pub use census::{Census, census};
pub use explicit::{ExplicitLts, ExplicitLtsBuilder, LtsCounts};
pub use explore::{Exploration, explore, step_event};
pub use extent::{Cut, Extent};
pub use sessions::{Identities, SessionsSystem, is_only_passed_on};
pub use system::{Action, ActionId, Argument, Lts, NoSuccessors, StateId};
pub use transitions::Transitions;
pub use valued::{OpenData, ValuedGraph};

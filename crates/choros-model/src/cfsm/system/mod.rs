//! Machines that talk over channels.

mod channels;
mod configurations;
mod contents;
mod describe;
mod divided;
mod reduction;
mod semantics;
mod survey;

pub use channels::{Channels, Discipline};
pub use describe::DeadKind;
pub use reduction::Reduction;
pub use semantics::{MachineId, Move, Offer, System};
pub use survey::{Situation, Survey, run_along, survey, survey_with};

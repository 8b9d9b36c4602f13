//! Machines that talk over channels.

mod channels;
mod configurations;
mod contents;
mod describe;
mod semantics;
mod survey;

pub use channels::{Channels, Discipline};
pub use describe::DeadKind;
pub use semantics::{MachineId, Move, System};
pub use survey::{Situation, Survey, run_along, survey};

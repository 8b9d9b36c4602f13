//! What may go wrong with messages and roles: a fault model, and roles composed over queues under it.
//!
//! A fault model is a value chosen per question; no model of a choreography has to mention it.

mod compose;
mod disturb;
mod model;
mod waiting;

pub use compose::{FaultyComposition, FaultyNode, faulty_queues};
pub use model::{Fault, FaultKind, FaultMistake, FaultModel};
pub use waiting::Waiting;

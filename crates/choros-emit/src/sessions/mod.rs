//! Executable tests of one role, with the machines of the others as its partners.
//!
//! Coto, *A choreographic approach to model-driven testing of message-passing systems* (2023), chapter 4: a type per
//! state of each machine (section 4.2), a machine with a method per action (section 4.2.4), and tests that draw
//! payloads and schedule (sections 4.2.2 and 4.2.5), as five files (section 4.2.3).

mod payloads;
mod payloads_of_graphs;
mod plan;
mod python;
mod rust;

mod tests;
mod types;

pub use payloads::{Field, FieldKind, Limits, Payload, Payloads};
pub use python::python;
pub use rust::rust;

pub use tests::SessionTests;

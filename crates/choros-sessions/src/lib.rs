#![doc = include_str!("../README.md")]

mod conformance;
mod distinct;
mod formulas;
mod independence;
mod realizability;

pub use conformance::{SessionsConformance, conformance_of_sessions};
pub use distinct::{distinct_identities, if_distinct};
pub use formulas::{CarriesOver, carries_over};
pub use independence::{Dependence, Independence, independence};
pub use realizability::{SessionsRealizability, realizability_of_sessions};

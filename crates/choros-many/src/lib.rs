#![doc = include_str!("../README.md")]

mod any_number;
mod conformance;
mod counters;
mod cover;
mod distinct;
mod formulas;
mod independence;
mod interference;
mod invariant;
mod observer;
mod realizability;
mod store;

pub use any_number::safe_for_any_number;
pub use conformance::{SessionsConformance, conformance_of_sessions};
pub use counters::{CounterMachine, CounterStep, Least};
pub use cover::{Coverage, coverage};
pub use distinct::{distinct_identities, if_distinct};
pub use formulas::{CarriesOver, carries_over};
pub use independence::{Dependence, Independence, independence};
pub use invariant::is_invariant;
pub use observer::{Observer, Seen};
pub use realizability::{SessionsRealizability, realizability_of_sessions};
pub use store::{Keeper, without_store};

#![doc = include_str!("../README.md")]

mod diagnostics;
mod reachability;

pub use diagnostics::{CODES, dead_transition, undecided_transition};
pub use reachability::{Contradiction, Liveness, Reachability, Sentence, reachability};

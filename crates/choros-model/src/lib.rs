#![doc = include_str!("../README.md")]

mod bound;
pub mod cfsm;
mod diagnostics;
pub mod diagram;
mod direction;
pub mod evidence;
pub mod faults;
pub mod gchor;
pub mod interface;
mod judged;
pub mod lts;
pub mod observation;
mod observed;
pub mod pomset;
pub mod stg;
pub mod symbols;
mod verdict;
pub mod walk;

pub use bound::Bound;
pub use diagnostics::CODES;
pub use evidence::Evidence;
pub use judged::{Judgeable, Judged, Judging};
pub use observed::Observed;
pub use verdict::{Help, Unknown, Verdict};

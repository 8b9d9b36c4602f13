#![doc = include_str!("../README.md")]

pub mod evidence;
pub mod lts;
pub mod stg;
mod verdict;

pub use evidence::Evidence;
pub use verdict::{Unknown, Verdict};

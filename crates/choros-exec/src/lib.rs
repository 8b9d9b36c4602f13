#![doc = include_str!("../README.md")]

mod diagnostics;
pub mod log;

pub use diagnostics::CODES;

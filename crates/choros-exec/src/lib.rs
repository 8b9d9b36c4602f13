#![doc = include_str!("../README.md")]

pub mod capture;
mod diagnostics;
pub mod log;

pub use diagnostics::CODES;

#![doc = include_str!("../README.md")]

mod address;
pub mod capture;
mod diagnostics;
pub mod drive;
pub mod feed;
pub mod log;
pub mod state_file;
pub mod verdicts;

pub use diagnostics::CODES;

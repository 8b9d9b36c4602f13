#![doc = include_str!("../README.md")]

pub mod address;
#[cfg(feature = "network")]
pub mod capture;
mod diagnostics;
mod disk;
pub mod feed;
pub mod log;
pub mod state_file;
pub mod verdicts;

pub use diagnostics::CODES;
pub use disk::Disk;

#![doc = include_str!("../README.md")]

pub mod address;
#[cfg(feature = "network")]
pub mod capture;
mod clock;
mod diagnostics;
mod disk;
pub mod feed;
pub mod log;
pub mod state_file;
pub mod verdicts;

pub use clock::milliseconds_since_1970;
pub use diagnostics::CODES;
pub use disk::Disk;

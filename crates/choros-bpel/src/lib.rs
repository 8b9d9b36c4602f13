#![doc = include_str!("../README.md")]

pub mod calculus;
pub mod process;

pub use process::CODES;

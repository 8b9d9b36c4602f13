#![doc = include_str!("../README.md")]

mod bpel4ws;
pub mod calculus;
pub mod process;
pub mod static_rules;
mod vocabulary;

pub use process::CODES;

#![doc = include_str!("../README.md")]

pub mod calculus;
mod diagnostics;
pub mod document;
pub mod problem;
pub mod process;
pub mod schema;
pub mod wire;
pub mod wsdl;
pub mod xpath;

pub use diagnostics::CODES;

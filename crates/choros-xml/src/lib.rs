#![doc = include_str!("../README.md")]

pub mod diagnostics;
pub mod document;
mod names;
pub mod schema;
pub mod wire;
pub mod wsdl;
pub mod xpath;

pub use diagnostics::CODES;

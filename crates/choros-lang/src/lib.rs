#![doc = include_str!("../README.md")]

pub mod ast;
pub mod chor;
pub mod convert;
mod diagnostics;
mod faithful;
pub mod gchor;
mod lower;
mod model;
pub mod pact;
mod parse;
mod print;
mod resolve;
mod sorts;
mod symbols;
mod views;
mod write;

pub use diagnostics::CODES;
pub use lower::NoGraph;
pub use model::{ComponentGraph, ComponentKind, Model, read};
pub use parse::parse;
pub use print::print;
pub use resolve::ComponentId;
pub use symbols::{LEXICON, PACT_LEXICON, symbols};
pub use write::write_component;

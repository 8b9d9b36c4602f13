#![doc = include_str!("../README.md")]

mod code;
mod file_set;
mod identifiers;
mod language;

pub use code::Code;
pub use file_set::FileSet;
pub use identifiers::{Case, Identifiers};
pub use language::Language;

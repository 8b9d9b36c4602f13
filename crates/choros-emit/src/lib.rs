#![doc = include_str!("../README.md")]

mod code;
mod file_set;
mod identifiers;
mod language;
pub mod sessions;
mod skeleton;
pub mod symbolic;
mod xquery;

pub use code::Code;
pub use file_set::FileSet;
pub use identifiers::{Case, Identifiers};
pub use language::Language;
pub use skeleton::{NotExecutable, skeleton};
pub use xquery::xquery;

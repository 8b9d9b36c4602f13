#![doc = include_str!("../README.md")]

mod binding_text;
mod diagnostics;
mod document;
mod enumerations;
mod import;
mod json;
mod library;
mod links;
mod lost;
mod message;
mod model_text;
mod names;
mod operation;
mod pattern;
mod schema;
mod service;
mod yaml;

pub use diagnostics::CODES;
pub use import::{Description, ImportOptions, Imported, import};
pub use library::OpenFile;
pub use lost::Lost;

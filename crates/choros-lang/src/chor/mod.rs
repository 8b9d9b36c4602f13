//! The native language: choreographies, roles and systems in `.chor` files.
//!
//! It reads like a sequence diagram and has a form for every construct of the calculus; `docs/language.md` describes
//! it on one page.

pub mod ast;
mod clocks;
mod conditions;
mod counterparts;
mod diagram;
mod first;
mod flow;
mod format;
mod inclusion;
mod insertion;
mod labels;
mod late;
mod layout;
mod lower;
mod model;
mod parse;
mod print;
mod resolve;
mod rounds;
pub mod saga;
mod sorts;
mod symbols;
pub mod time;
mod write;

pub use format::format;
pub use insertion::statement_around;
pub use late::late_edits;
pub use model::{ItemId, Model, read};
pub use parse::parse;
pub use print::print;
pub use symbols::{LEXICON, symbols};
pub(crate) use write::is_writable;
pub use write::{NotWritable, write_graphs};

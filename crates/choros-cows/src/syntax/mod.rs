//! COWS as text: tokens, tree, reader and printer.

mod ast;
mod print;
mod read;
mod symbols;
mod token;

pub use ast::{
    Abstractions, Binder, Comment, Definition, Endpoint, Identifier, Specification, Term, TermKind,
};
pub use print::print;
pub use read::{DEPTH_LIMIT, parse};
pub use symbols::{LEXICON, symbols};

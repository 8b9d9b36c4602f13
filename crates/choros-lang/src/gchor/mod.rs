//! G-choreographies in `.gc` files: the notation of ChorGram, and that of Coto's thesis.
//!
//! ```text
//! G ::= (o)  |  A -> B : m  |  A => B, C : m  |  G ; G  |  G + G  |  G | G  |  { G }
//!    |  sel [A] { G + … + G }  |  repeat [A] { G }  |  * G @ A
//! ```
//! `|` binds least, then `+`, then `;`; between the braces of `sel` it is `+` that binds least.
//! `..` begins a comment up to the end of the line, `[[ … ]]` is a comment of any length.

pub mod ast;
mod diagnostics;
mod format;
mod lower;
mod parse;
mod print;
mod symbols;
mod token;
mod write;

pub use diagnostics::CODES;
pub use format::format;
pub use lower::{lower, read};
pub use parse::parse;
pub use print::print;
pub use symbols::{LEXICON, symbols};
pub use write::write_gchor;

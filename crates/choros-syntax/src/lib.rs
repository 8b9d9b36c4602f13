//! What the text languages share: tokens with their places, comments, a cursor over them, and quoting.
//!
//! A language says what its tokens are ([`TokenKind`]), how one begins, and how comments look; the rest is here.
//! Nothing is refused while scanning: signs that mean nothing are collected, one finding for each run of them, so that a
//! binary file gives one and not a million.

mod cursor;
mod lexicon;
pub mod quote;
mod scan;
mod token;

pub use cursor::Cursor;
pub use lexicon::{Lexeme, Lexicon, TokenRole};
pub use scan::{Comment, Comments, ScannedText, scan};
pub use token::{Token, TokenKind};

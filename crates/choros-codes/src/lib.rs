//! Which kinds of files there are, and what may be wrong with files, requests and the command line.
//!
//! A file per code: its documentation, and the words of the diagnostic.
//! The crate knows neither a language nor an engine; the code that sees the mistake says what it needs in plain values.

mod cap;
pub mod diagnostics;
mod kind;

pub use cap::capped;
pub use diagnostics::CODES;
pub use kind::{Content, FileKind, extensions};

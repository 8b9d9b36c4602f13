//! What an editor asks of a binding: its names, and what may be written at a place.
//!
//! The text is walked key by key and not read, so that names are known in a text with mistakes too, and each place of a
//! name is: `[messages.Ask]` and `[messages.Ask.fields]` are two places of `Ask`, of which the reader keeps one.

mod keys;
mod outside;
mod symbols;
mod wanted;

pub use symbols::{named_model, symbols};
pub use wanted::wanted;

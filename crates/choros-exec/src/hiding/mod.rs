//! What must not be shown, and what stands in its place.

mod pseudonym;
mod redaction;

pub(crate) use pseudonym::Pseudonyms;
pub use redaction::Redaction;

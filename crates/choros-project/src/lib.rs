//! `choros.toml` as it is written, its baseline, and the store of proofs.
//!
//! What the file asks is carried out by the façade; here it is read, judged and written.

pub mod baseline;
pub mod glob;
mod keys;
mod lookup;
mod project_file;
mod sessions;

pub use keys::Row;
pub use lookup::Lookup;
pub use project_file::{ProjectFile, Verb, read};

/// The name of the file.
pub const PROJECT_FILE: &str = "choros.toml";

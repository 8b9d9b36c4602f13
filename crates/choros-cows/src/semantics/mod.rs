//! What terms do.

pub(crate) mod active;
pub(crate) mod canonical;
pub(crate) mod cluster;
pub(crate) mod fold;
pub(crate) mod labels;
pub(crate) mod multiset;
pub(crate) mod process;
mod program;
pub(crate) mod show;
pub(crate) mod states;
pub(crate) mod system;
pub(crate) mod unique;

pub use program::Program;

//! From g-choreographies to the native language and back.
//!
//! Both have interactions, sequence, choice, parallel parts and loops, so the text of one is the text of the other.
//! What they mean by `;` differs: in `.chor` everything before it happens before everything after it, in `.gc` only
//! what one participant does is ordered (Tuosto and Guanciale 2018). A translation keeps the tree, not the runs; where
//! both are the same is a question about realizability.

mod to_chor;
mod to_gchor;

pub use to_chor::gchor_to_chor;
pub use to_gchor::{NotConverted, chor_to_gchor};

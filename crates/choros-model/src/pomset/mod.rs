//! Pomsets: partially ordered multisets of what participants do.

mod event;
mod isomorphism;
mod order;

pub use event::Event;
pub use isomorphism::{isomorphic, without_copies};
pub use order::Pomset;

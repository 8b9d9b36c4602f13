//! Test purposes and the contracts of partners.

mod model;

pub use model::{Binder, MessageHead, Purpose, PurposeEdge, PurposeState, Trigger};

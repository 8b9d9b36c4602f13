//! G-choreographies: who sends what to whom, in sequence, in parallel, by choice and again.

mod diagram;
mod roles;
mod tree;
mod unfold;

pub use roles::{RoleSet, Roles};
pub use tree::{Form, Gchor, Interaction, Node, NodeId};
pub use unfold::{LoopUnfolding, unfold};

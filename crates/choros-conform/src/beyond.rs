//! What an implementation may do beyond its graph.

use choros_model::stg::{NodeId, Operation, Role};
use rustc_hash::FxHashMap;

/// For nodes of an implementation from which it may do more than its graph has: what may be visible first then.
#[derive(Debug, Clone, Default)]
pub struct Beyond {
    /// For each such node.
    pub first: FxHashMap<NodeId, First>,
}

/// Messages, and whether it may end.
pub type First = (Vec<(Operation, Role, Role)>, bool);

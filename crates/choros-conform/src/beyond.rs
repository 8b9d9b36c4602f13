//! What an implementation may do beyond its graph.

use choros_model::stg::{NodeId, Operation, Role};
use rustc_hash::FxHashMap;

/// For nodes of an implementation from which it may do more than its graph has: what may be visible first then.
#[derive(Debug, Clone, Default)]
pub struct OpenEnds {
    /// For each such node.
    pub first: FxHashMap<NodeId, FirstVisible>,
}

/// Messages, and whether it may end.
pub type FirstVisible = (Vec<(Operation, Role, Role)>, bool);

//! The bounds of searches.

/// A bound that a search met, and the value to try next where one can be named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bound {
    /// How many states are examined.
    States(Option<u64>),
    /// How far from the start runs are followed.
    Depth(Option<u64>),
    /// How many messages may wait in a channel.
    Places(Option<u64>),
    /// How much work a query of the solver may cost.
    SolverBudget(Option<u64>),
}

//! From components to graphs.

mod graph;
mod number;
mod steps;
mod store;
mod unreached;

pub(crate) use graph::lower_graph;
pub(crate) use number::{join, lower_process, lower_term};
pub(crate) use store::{Act, Form, ProcessTerm, Store, Timer};

use choros_base::StopReason;

/// Why a component has no graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoGraph {
    /// Something in it is wrong, and was reported when the script was read.
    Mistakes,
    /// It is larger than the budget allows.
    Spent(StopReason),
}

impl From<StopReason> for NoGraph {
    fn from(spent: StopReason) -> Self {
        NoGraph::Spent(spent)
    }
}

impl std::fmt::Display for NoGraph {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoGraph::Mistakes => write!(f, "the component has mistakes"),
            NoGraph::Spent(spent) => write!(f, "the graph is too large: {spent}"),
        }
    }
}

impl std::error::Error for NoGraph {}

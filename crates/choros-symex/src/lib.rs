#![doc = include_str!("../README.md")]

mod concrete;
mod coverage;
mod derived;
pub mod diagnostics;
mod digest;
pub mod driver;
mod edges;
mod execute;
mod fnv;
mod follow;
mod graph;
mod inclusion;
mod label;
mod live;
mod may;
pub mod naive;
mod product;
mod smt2;
mod suite;
mod test_case;
mod tree;
mod unfolding;

pub use coverage::{Candidates, CoverageCriterion, Item, Selection, select};
pub use derived::{Derived, Orchestration};
pub use diagnostics::CODES;
pub use execute::{Execution, execute};
pub use follow::follow;
pub use graph::{EdgeLabel, Graph, GraphEdge, Origin, State, StateId};
pub use label::{SymbolicField, SymbolicMessage, TreeLabel};
pub use may::May;
pub use product::{PurposeActions, product, prune};
pub use suite::Suite;
pub use test_case::{Part, TestCase, TestStep};
pub use tree::{Cut, Doubt, Symbol, SymbolSource, Tree, TreeNode, TreeNodeId, TreeSizes};
pub use unfolding::{Rules, Successor, Unfolding, datum};

#![doc = include_str!("../README.md")]

mod concrete;
mod coverage;
mod covering;
mod derive;
mod derived;
pub mod diagnostics;
mod digest;
pub mod driver;
mod edges;
mod evidence;
mod execute;
mod fit;
mod fnv;
mod follow;
mod graph;
mod inclusion;
mod label;
mod live;
mod may;
mod merge;
pub mod naive;
mod outward;
mod product;
mod smt2;
mod suite;
mod test_case;
mod tree;
mod unfolding;
mod walk;

pub use coverage::{Candidates, CoverageCriterion, Selection, select};
pub use covering::CoverageItem;
pub use derive::{Derivation, Prepared};
pub use derived::{DerivedTests, NoService, ServiceModel};
pub use diagnostics::CODES;
pub use execute::{Execution, execute};
pub use fit::PurposeFit;
pub use follow::follow;
pub use graph::{EdgeLabel, EdgeOrigin, Graph, GraphEdge, State, StateId};
pub use label::{SymbolicField, SymbolicMessage, TreeLabel};
pub use may::NextObservations;
pub use product::{PurposeActions, product, prune};
pub use suite::SymbolicSuite;
pub use test_case::{Part, TestCase, TestStep};
pub use tree::{
    Join, Symbol, SymbolSource, Tree, TreeCut, TreeNode, TreeNodeId, TreeSizes, UndecidedStep,
};
pub use unfolding::{ExecutionRules, Successor, TreeBuilder, datum};
pub use walk::{WalkChoice, walk};

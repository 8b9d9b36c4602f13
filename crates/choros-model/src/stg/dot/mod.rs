//! Graphs as DOT, as SChorA writes and reads them, and Graphviz draws them.
//!
//! ```text
//! digraph "shop" {
//!   0 [label="0"];
//!   1 [label="1\n{x1}"];
//!   0 -> 1 [label="Request[b,v].<x1>"];
//!   1 -> 2 [label="[x1 < 5] Confirm[v,b]"];
//! }
//! ```
//!
//! The free variables of a node are shown below its label; they are computed, so what a file says there is not read.
//! The first node that is listed is the initial one.
//! SChorA's DOT has no termination: nodes without outgoing edges terminate.
//! Where a graph of ours says more, it is drawn, and read back: a point with an arrow to the initial node, `√`-edges
//! to a node `√`, `comment="explicit"` (or `stopped`) on the graph, and `comment="stuck"` on a node that does not terminate although
//! nothing leaves it.
//!
//! Sorts are not written; they are inferred when the file is read.
//! The `.stg` form keeps everything.

mod read;
mod syntax;
mod write;

pub use read::read_dot;
pub use syntax::GraphSyntax;
pub use write::{DotMarks, write_dot};

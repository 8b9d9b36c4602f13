//! Symbolic transition graphs: finite graphs with formulas on their edges.

mod event;
mod free_variables;
mod graph;

pub use event::{Direction, Event, Field, FieldValue, Message, Operation, Role};
pub use free_variables::FreeVariables;
pub use graph::{Counts, Edge, EdgeId, Ending, Node, NodeId, Stg, StgBuilder, Termination, Update};

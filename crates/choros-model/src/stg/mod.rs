//! Symbolic transition graphs: finite graphs with formulas on their edges.

mod aut;
mod definedness;
mod demand;
mod disturbance;
mod dot;
mod event;
mod factors;
mod fix;
mod free_variables;
mod graph;
mod half;
mod hidden;
pub mod label;
mod offers;
mod pace;
mod product;
mod product_note;
mod prompt;
mod prune;
mod queues;
mod rename;
mod restrict;
pub mod run;
mod sessions;
mod shown;
mod stga;
mod synchronise;
mod text;
mod traces;
mod variables;
mod views;

pub use crate::direction::Direction;
pub use aut::write_graph_aut;
pub use demand::Outstanding;
pub use disturbance::Disturbance;
pub use dot::{DotMarks, GraphSyntax, read_dot, write_dot};
pub use event::{Event, Field, FieldValue, Message, Operation, Role};
pub use factors::{Factors, Separation, factors};
pub use fix::fix_parameter;
pub use free_variables::FreeVariables;
pub use graph::{
    Edge, EdgeId, Ending, Node, NodeId, Stg, StgBuilder, StgCounts, Termination, Unreached, Update,
};
pub use offers::{event_with_values, offers};
pub use product::{Product, product};
pub use product_note::ProductNote;
pub use prune::prune;
pub use queues::{
    QueuedComposition, QueuedNode, Visible, prompt_queues, queues, queues_on_demand,
    queues_unless_full,
};
pub use rename::{Renaming, rename};
pub use restrict::{Alphabet, hide, restrict};
pub use sessions::{
    MOST_SESSIONS, NoCopies, SessionCount, Sessions, Told, parts_side_by_side, session_variable,
    side_by_side, told_apart,
};
pub use stga::read_stga;
pub use synchronise::Incompatible;
pub use text::{STG_LEXICON, read_stg, stg_symbols, write_stg};
pub use traces::{Traces, count_traces};
pub use variables::disjoint;
pub use views::{is_split, met_view, received_view, sent_view, timeless};

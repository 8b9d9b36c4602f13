//! Our own text form of a graph, `.stg`: one statement per line, everything a graph can hold.
//!
//! ```text
//! stg shop explicit                  // name; how it ends: explicit | stopped | sinks
//! sort Status = OK | KO              // an enumeration
//! sort Colour                        // an uninterpreted sort …
//! constant RED: Colour               // … and a value of it (those of Symbol need no declaration)
//! variables x: Int, y: Status        // sorts; what is not declared is inferred
//! initial 0
//! 0 -> 1: Request[b,v].<x>
//! 1 -> 2: [x < 5] Confirm[v,b] / y := OK; x := x + 1
//! 2: end [x > 0]                     // may terminate, always or under a condition
//! node 2 "done"                      // a label other than the number
//! ```
//!
//! Nodes are numbers; they are put in the order of these numbers.
//! Where a graph ends in `sinks`, nodes without outgoing edges terminate unless `3: stuck` says that they do not.
//! Where it is `stopped`, the target of `√` is not counted besides the node that has neither edges nor an end.
//! Parameters are computed, never declared.
//!
//! Reading what was written gives the same graph, and writing what was read from such a text gives the same text.
//! One thing is not written: the sort of an empty list that nothing else tells.

mod read;
mod symbols;
mod write;

pub use read::read_stg;
pub use symbols::{LEXICON as STG_LEXICON, stg_symbols};
pub use write::write_stg;

//! Machines as text: the `.fsa` form of ChorGram, KMC and petrify.
//!
//! One block per participant:
//!
//! ```text
//! .outputs Client
//! .state graph
//! 0 1 ! number 2
//! 2 1 ? Yes 1
//! 2 1 ? No 1
//! .marking 0
//! .end
//! ```
//!
//! A transition is source, partner, `!` or `?`, message, target; the partner is the number of its block, from 0, or
//! its name.
//! What begins with `--` or `#`, at the start of a line or after a transition, is a comment.
//! A block without a name is called by its number, and final states are those that nothing leaves.

mod read;
mod symbols;
mod write;

pub use read::read_fsa;
pub use symbols::{LEXICON as FSA_LEXICON, fsa_symbols};
pub use write::write_fsa;

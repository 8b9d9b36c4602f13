//! Test purposes and the contracts of partners.
//!
//! A *test purpose* is a graph beside that of a model (Bentakouk, "Symbolic Testing Approach of Composite Web
//! Services", Definition 3.3.7): it follows the model's events, may look at the model's variables, has variables of
//! its own, and says with `#` where it is reached.
//! A *contract* π(o) relates what a partner's operation is given (`in`) and what it gives back (`out`).
//!
//! ```text
//! purpose select_offer
//! T0: *
//! T0 -> T1: USER.select?s
//! T1 -> T2: [s.offerCode == RO.proposals.offerCode] tau
//! T2 -> T3: #
//! T3: *
//! contract BK.approve: in.amount >= 10000 or out.rtr
//! ```

mod contract;
mod diagnostics;
mod model;
mod parse;
mod print;
mod resolve;
mod symbols;
mod syntax;
mod vocabulary;

pub use contract::{add_contracts, check_contracts_only};
pub use diagnostics::CODES;
pub use model::{Binder, MessageHead, Purpose, PurposeEdge, PurposeState, Trigger};
pub use parse::parse;
pub use print::print;
pub use resolve::{check_shape, resolve};
pub use symbols::{LEXICON, symbols};
pub use syntax::{
    ContractSyntax, Line, PurposeLabel, PurposeSyntax, Statement, TriggerMessage, TriggerSyntax,
    Word,
};
pub use vocabulary::{MessageShape, Vocabulary, interface_of};

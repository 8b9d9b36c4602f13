//! Properties of logs: *if these messages were seen, one of those must follow within so many*.
//!
//! Definitions 14 to 17 of Nguyen's thesis (and of the HASE'12 paper): candidate events, local properties with a
//! context and a consequence, global properties over verdicts of local ones.
//! Ours adds windows in time, correlation, and wildcards.
//!
//! ```text
//! property fee_is_weight_times_price on s {
//!   context Request[c,s]?(weight = w)
//!   within 1 messages
//!   expect Response[s,c]!(price = p, fee = f) where f == w * p
//! }
//! global property same_price { when { price_2_at_s } then { price_2_at_a } }
//! ```

mod ast;
mod conditions;
mod cursor;
mod diagnostics;
mod parse;
mod print;
mod read;
mod symbols;
mod xml;

pub use ast::{
    BoundField, CandidateEvent, Condition, GlobalProperty, Part, Properties, Property, Sense,
    Window,
};
pub use diagnostics::CODES;
pub use print::{event_text, print};
pub use read::{FieldSort, MessageSchema, is_xml, read, read_text};
pub use symbols::{LEXICON, symbols};

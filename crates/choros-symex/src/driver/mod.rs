#![doc = include_str!("../../DRIVING.md")]

mod again;
mod belief;
mod branch;
mod claim;
mod clock;
mod closing;
mod concrete;
mod conversation;
mod emitted;
mod from_test_case;
mod guide;
mod known_texts;
mod leftover;
mod like;
#[cfg(test)]
mod long_lists;
mod message;
mod outcome;
mod path;
mod rest;
mod several;
mod shrink;
mod specification;
mod transport;
mod unify;
mod value_strategy;
mod view;
mod withheld;

// Who turns the crank lends the solver, and needs no more of it than its name.
pub use choros_smt::{Solver, SolverError};

pub use again::{judge_again, judge_by_model};
pub use claim::Ownership;
pub use clock::{Moment, Timing};
pub use conversation::{ConversationRules, Driver, DriverAction};
pub use known_texts::KnownTexts;
pub use leftover::Leftover;
pub use message::ConcreteMessage;
pub use outcome::{ConversationEntry, ExpectedEvent, TestOutcome, TestVerdict, is_same_reason};
pub use path::{Edge, PathMessage, SymbolicPath, SymbolicStep};
pub use shrink::{ShrinkResult, Trial, shrink};
pub use specification::{SearchBounds, Specification};
pub use value_strategy::ValueStrategy;
pub(crate) use value_strategy::{Chosen, choose};
pub use view::{Unseen, View};
pub use withheld::{Delay, Withheld};

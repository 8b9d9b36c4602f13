//! SocL: the logic, its text, its patterns.

pub(crate) mod cursor;
mod data;
pub mod diagnostics;
mod fields;
mod formula;
pub(crate) mod layout;
mod matching;
pub(crate) mod parse;
mod parse_data;
pub(crate) mod parse_whole;
mod pattern;
pub(crate) mod print;
pub(crate) mod sentence;
pub(crate) mod token;
mod translate;
mod vacuity;

pub use data::{Comparison, ComparisonOp, Expression, Operand, StateFormula, Summand};
pub use diagnostics::CODES;
pub use formula::{
    Actions, Argument, Atom, Formula, Node, NodeId, NodeKind, Quantifier, Until, Variable,
};
pub use matching::{Arity, Bindings, GroundAction, match_actions, match_atom};
pub use parse_whole::{parse_formula, parse_steps};
pub use pattern::{Pattern, patterns_named};
pub use vacuity::{unmatched, vacuity_warnings};

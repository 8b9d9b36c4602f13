#![doc = include_str!("../README.md")]

mod boxes;
mod build;
mod definedness;
mod diagnostics;
mod evaluate;
mod fold;
mod inference;
mod lengths;
mod notation;
mod print;
mod read;
mod regular;
mod simplify;
mod sort;
mod strength;
pub mod syntax;
mod term;
mod term_sorts;
mod value;

pub use diagnostics::CODES;
pub use evaluate::{Assignment, NoValue};
pub use inference::{Inference, Scope, Slot};
pub use notation::Notation;
pub use read::read_term;
pub use regular::{MAX_EXPRESSION_NESTING, RegularExpression};
pub use sort::{Sort, SortKind};
pub use term::{Op, Quantifier, Term, TermKind, Terms, Var};
pub use value::Value;

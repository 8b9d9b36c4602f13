#![doc = include_str!("../README.md")]

mod build;
mod definedness;
mod evaluate;
mod fold;
mod print;
mod sort;
mod term;
mod value;

pub use evaluate::{Assignment, NoValue};
pub use sort::{Sort, SortKind};
pub use term::{Op, Quantifier, Term, TermKind, Terms, Var};
pub use value::Value;

#![doc = include_str!("../README.md")]

mod minimize;

pub use minimize::{Equivalence, bisimilar, minimize};

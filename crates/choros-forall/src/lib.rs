#![doc = include_str!("../README.md")]

mod answer;
mod bounds;
mod counted;
mod environment;
mod evaluate;
mod invariants;
mod least;
mod lexicographic;
mod linear;
mod literal;
mod matching;
mod places;
mod problem;
mod prover;
mod ranks;
mod readable;
mod run;
mod starts;
mod state;
mod stop;
mod symbolic;

pub use answer::{Asked, ForAll, answer};
pub use stop::Stop;

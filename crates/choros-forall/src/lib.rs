#![doc = include_str!("../README.md")]

mod all_values;
mod answer;
mod asked_of;
mod bounds;
mod certificate;
mod counted;
mod environment;
mod evaluate;
mod fair;
mod fair_paths;
mod invariants;
mod knowledge;
mod knows;
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
mod witness;

pub use answer::{Asked, ForAll, answer};
pub use stop::Stop;

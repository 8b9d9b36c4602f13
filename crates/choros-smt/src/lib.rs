#![doc = include_str!("../README.md")]

mod absent;
mod answer;
mod backend;
mod cached;
mod checked;
mod depth;
mod eliminate;
mod error;
mod limits;
mod literal;
mod locate;
mod pipe;
mod process;
mod read;
mod recorded;
mod script;
mod sexpr;
mod solver;
mod symbols;
mod trivial;
mod write;
mod z3;

pub use absent::NoSolver;
pub use answer::{Answer, Elimination, Reason};
pub use backend::{Backend, Outcome, Query, Taken};
pub use cached::Cached;
pub use checked::Checked;
pub use error::SolverError;
pub use limits::Limits;
pub use locate::{Candidate, Places, find, find_backend};
pub use pipe::{Dialect, Pipe};
pub use recorded::{Recorded, Recorder, Recording};
pub use script::Script;
pub use solver::{Solver, Truth};
pub use trivial::Trivial;
pub use z3::InProcess;

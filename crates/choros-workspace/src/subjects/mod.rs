//! Models in the shape that a question needs.

mod casts;
mod choreographies;
mod compared;
mod formulas;
mod machines;
mod sessions;
mod survival;
mod system;

pub use casts::{cast_of, casts};
pub use choreographies::{RealizeRequest, RealizeRules, choreographies};
pub use compared::{
    ComparisonRules, ConformRequest, compared_components, compared_graphs, compared_sessions,
};
pub use formulas::{OpenGraph, PosedQuestions, VerifyRequest, questions_or_open};
pub use machines::gchor_machines;
pub use sessions::{OneSession, one_session};
pub use survival::{disturbed, survived};
pub use system::{Behaviour, HeldModel, Subject, open as open_system};

//! Models in the shape that a question needs.

mod choreographies;
mod compared;
mod formulas;
mod machines;
mod system;

pub use choreographies::{RealizeRequest, RealizeRules, choreographies};
pub use compared::{ComparisonRules, ConformRequest, compared_graphs, compared_sessions};
pub use formulas::{OpenGraph, PosedQuestions, VerifyRequest, questions_or_open};
pub use machines::gchor_machines;
pub use system::{Behaviour, HeldModel, Subject, open as open_system};

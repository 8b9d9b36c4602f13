//! Models in the shape that a question needs.

mod casts;
mod choreographies;
mod compared;
mod formulas;
mod machines;
mod sessions;
mod survival;
mod system;
mod under_faults;

pub use casts::casts;
pub use choreographies::{RealizeRequest, RealizeRules, choreographies};
pub use compared::{ComparisonRules, ConformRequest, compared_graphs, compared_sessions};
pub use formulas::{OpenGraph, PosedQuestions, VerifyRequest, questions_or_open};
pub use machines::gchor_machines;
pub use sessions::{OneSession, one_session};
pub use survival::disturbed;
pub use system::{Behaviour, HeldModel, Subject, open as open_system};
pub use under_faults::{check_under_faults, conform_under_faults, realize_under_faults};

//! Three-valued evaluation on a prefix of a system.

mod instance;
mod region;
mod rounds;
mod truth;

pub(crate) use instance::{InstanceId, Shape, Target};
pub use rounds::{Evaluation, Evaluator};
pub use truth::FormulaValue;

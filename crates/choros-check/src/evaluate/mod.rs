//! Three-valued evaluation on a prefix of a system.

mod all_values;
mod fair;
mod instance;
mod region;
mod rounds;
mod truth;

pub(crate) use fair::fair_components;
pub(crate) use instance::{InstanceId, Shape, Target};
pub use rounds::{Evaluation, Evaluator};
pub use truth::FormulaValue;

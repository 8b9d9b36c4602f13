#![doc = include_str!("../README.md")]

mod above;
mod attack;
mod below;
mod beyond;
mod bound_names;
mod clauses;
mod condition;
mod conformance;
mod cycles;
mod departure;
mod diagnostics;
mod distinguish;
mod equalities;
mod equations;
mod fitness;
mod fold;
mod formula;
mod independent;
mod literals;
mod matching;
mod pairs;
mod proof;
mod refutation;
mod replay;
mod samples;
mod silent;
mod smt2;
mod unfold;

pub use attack::attack;
pub use beyond::{FirstVisible, OpenEnds};
pub use condition::{lean_formula, readable_condition};
pub use conformance::{Conformance, Setup, conformance, relation_evidence};
pub use cycles::{components, silent_cycles};
pub use diagnostics::{
    CODES, divergent_implementation, mixed_views, silent_specification, unlike_data,
};
pub use equations::equations;
pub use fitness::{NotCompared, unfit};
pub use independent::conformance_by_parts;
pub use proof::conformance_proof;
pub use refutation::refutation;
pub use smt2::smt2;

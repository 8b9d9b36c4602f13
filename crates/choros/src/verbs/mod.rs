//! One function per verb.

mod audit;
mod capture;
mod certify;
mod check;
mod check_project;
mod conform;
mod convert;
mod draw;
mod drive;
mod explain;
mod explore;
mod fmt;
mod gchor;
mod machines;
mod monitor;
mod no_graph;
mod project;
mod realize;
mod refuse;
mod replay;
mod script;
mod services;
mod solve;
mod symbolic;

pub use audit::{AuditRequest, audit_logs};
pub use choros_monitor::audit::Hypothesis;
mod skeleton;
mod verify;

pub use crate::Picture;
pub use capture::{CaptureRequest, Pair, capture};
pub use certify::{CertifyRequest, certify};
pub use check::{CheckRequest, check};
pub use check_project::{CheckProject, CheckedProject, check_project};
pub use choros_drive::Values;
pub use choros_exec::log::LogFormat;
pub use choros_exec::verdicts::VerdictForm;
pub use choros_realize::Criterion;
pub use choros_symex::driver::TestVerdict;
pub use conform::{ConformRequest, Rules, conform};
pub use draw::{DrawRequest, draw};
pub use drive::{DriveRequest, drive, judge};
pub use explain::explain;
pub use explore::{ExploreRequest, explore};
pub use fmt::{FmtRequest, fmt};
pub use machines::{Mutating, TestForm, Testing, comply, mutate, tests};
pub use monitor::{MonitorRequest, monitor};
pub use project::{Memory, Projecting, project};
pub use realize::{Realizing, realize};
pub use refuse::{Meaningless, refuse_options};
pub use replay::replay;
pub use script::script;
pub use services::Stepper;
pub use skeleton::{show_files, skeleton};
pub use solve::{SolveRequest, TreeScript, solve};
pub use symbolic::{
    CoverageCriterion, Derived, PurposeActions, SymbolicForm, SymbolicTesting, SymbolicTests,
    check_purposes, derive, explore_product, symbolic_tests,
};
pub use verify::{QuestionSource, VerifyRequest, verify};

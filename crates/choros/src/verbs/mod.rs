//! One function per verb.

mod audit;
#[cfg(feature = "network")]
mod capture;
mod certify;
mod check;
mod check_project;
mod conform;
mod convert;
mod draw;
#[cfg(feature = "network")]
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
#[cfg(feature = "bpel")]
mod solve;
mod symbolic;

pub use audit::{AuditRequest, audit};
pub use choros_monitor::audit::Hypothesis;
mod skeleton;
mod verify;

pub use crate::Picture;
#[cfg(feature = "network")]
pub use capture::{CaptureRequest, Pair, capture};
pub use certify::{
    CertifyRequest, certify, check_certificate, realize_certificate, verify_certificate,
};
pub use check::{CheckRequest, check};
pub use check_project::{CheckProject, CheckedProject, check_project};
#[cfg(feature = "network")]
pub use choros_drive::Values;
pub use choros_exec::log::LogFormat;
pub use choros_exec::verdicts::VerdictForm;
pub use choros_realize::Criterion;
pub use choros_symex::driver::TestVerdict;
pub use conform::{ConformRequest, Rules, conform};
pub use draw::{DrawRequest, draw};
#[cfg(feature = "network")]
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
#[cfg(feature = "bpel")]
pub use solve::{SolveRequest, TreeScript, solve};
pub use symbolic::{
    CoverageCriterion, Derived, PurposeActions, SymbolicTesting, check_purposes, derive,
    explore_product,
};
#[cfg(feature = "network")]
pub use symbolic::{SymbolicForm, SymbolicTests, symbolic_tests};
pub use verify::{QuestionSource, VerifyRequest, verify};

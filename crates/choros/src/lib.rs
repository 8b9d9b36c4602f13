#![doc = include_str!("../README.md")]

mod diagnostics;
mod generated;
mod kind;
mod model;
mod monitor_state;
mod orchestration;
mod picture;
mod progress;
mod project;
mod properties;
mod service;
mod settings;
mod solver;
pub mod verbs;

pub use choros_base as base;
pub use choros_bpel::calculus::Style as EventHandlers;
pub use choros_bpel::process::Duration;
pub use choros_check::Equivalence;
pub use choros_emit::{FileSet, Language};
pub use choros_model::cfsm::{Channels, Discipline, Reduction};
pub use choros_realize::Mode;
pub use choros_report as report;
pub use choros_report::answers::{Answered, Conformance, Run, Stop, Verification};
pub use choros_smt::leave;
pub use choros_testgen::{Loops, Operator, Splitting};
pub use diagnostics::lacking_names::lacking_names;
pub use diagnostics::{CODES, code, codes};
pub use generated::{Fate, Manifest};
pub use kind::FileKind;
pub use model::{Component, Model};
pub use picture::Picture;
pub use progress::Progress;
pub(crate) use project::stem;
pub use project::{Project, Request};
pub use service::Service;
pub use settings::{GchorSettings, OrchestrationSettings, Settings};

#![doc = include_str!("../README.md")]

mod codes;
mod editing;
pub mod verbs;

pub use choros_base as base;
pub use choros_base::FileSet;
#[cfg(feature = "bpel")]
pub use choros_bpel::calculus::Style as EventHandlers;
#[cfg(feature = "bpel")]
pub use choros_bpel::process::{Duration, Reading};
pub use choros_check::Equivalence;
pub(crate) use choros_codes::diagnostics;
pub use choros_codes::diagnostics::edited_file::kept_file;
pub use choros_codes::diagnostics::lacking_names::lacking_names;
pub use choros_codes::diagnostics::no_certificate::CODE as NO_CERTIFICATE;
pub use choros_codes::{CODES, Content, FileKind, capped};
pub use choros_data as data;
#[cfg(feature = "network")]
pub use choros_drive::Secrets;
#[cfg(feature = "emitters")]
pub use choros_emit::TargetLanguage;
pub use choros_exec::Disk;
pub use choros_model as model;
pub use choros_model::cfsm::{Channels, Discipline, Reduction};
pub use choros_monitor as monitor;
#[cfg(feature = "projects")]
pub use choros_project::PROJECT_FILE;
pub use choros_query as query;
pub use choros_realize::Mode;
pub use choros_report as report;
pub use choros_report::answers::{
    Answered, Audit, CaptureAnswer, CommandAnswer, ComplianceOfTests, Conformance, Drawn,
    DrivenTest, Driving, Exploration, Formatting, Monitoring, Mutation, Parts, Projections,
    Realizability, Rejudgement, RunNotes, Skeleton, Solution, Soundness, Stop, TestRun, Tests,
    Verification,
};
pub use choros_report::{
    DecidedWindow, Event, Events, Form, LiveMessage, MessageRoom, Part, Picture, PictureStyle,
    VerdictKind,
};
pub use choros_smt::leave;
pub use choros_syntax as syntax;
pub use choros_testgen::{Loops, Operator, Splitting};
#[cfg(feature = "bpel")]
pub use choros_workspace::OrchestrationSettings;
pub use choros_workspace::{
    Cache, Component, FaultSettings, GchorSettings, Inspection, Model, Request, Service, Settings,
    Store, Workspace, bound_model, wanted,
};
pub use codes::{code, codes};
#[cfg(feature = "projects")]
pub use editing::related_files;
pub use editing::{inspect, lexicon};

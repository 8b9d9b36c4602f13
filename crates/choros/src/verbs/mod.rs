//! One function per verb.

#[cfg(feature = "logs")]
mod audit;
#[cfg(feature = "logs")]
mod bind;
#[cfg(feature = "network")]
mod capture;
mod certify;
mod check;
#[cfg(feature = "projects")]
mod check_project;
mod conform;
mod draw;
#[cfg(feature = "network")]
mod drive;
mod explain;
mod explore;
#[cfg(feature = "logs")]
mod feed;
mod fmt;
mod gchor;
mod machines;
#[cfg(feature = "logs")]
mod monitor;
mod project;
mod realize;
mod refuse;
mod replay;
mod script;
mod services;
#[cfg(feature = "bpel")]
mod solve;
mod symbolic;
mod tests;

#[cfg(feature = "logs")]
pub use audit::{AuditRequest, audit, audit_sessions};
#[cfg(feature = "logs")]
pub use bind::{BindRequest, bind, translate};
pub use choros_monitor::audit::{
    Auditing, CrossingMessages, Empty, Hypothesis, MessageMoment, Network, Order, Projection, Runs,
    Sessions,
};
#[cfg(feature = "logs")]
pub use choros_watch::audit::LogsRequest;
#[cfg(feature = "logs")]
pub use choros_watch::bind::SampleRequest;
#[cfg(feature = "logs")]
pub use choros_watch::monitor::{
    BrokerRequest, FeedRequest, Hook, Screen, SessionsRequest, StreamRequest, WatchRequest,
};
#[cfg(feature = "emitters")]
mod skeleton;
mod verify;

pub use crate::{Form, Part, Picture, PictureStyle};
#[cfg(feature = "network")]
pub use capture::capture;
pub use certify::{CertifyRequest, certify};
pub use check::{CheckRequest, check};
#[cfg(feature = "projects")]
pub use check_project::{CheckProject, CheckedProject, check_project};
pub use choros_cows::Stepper;
#[cfg(feature = "network")]
pub use choros_drive::{DriveOptions, PartnerFault, ValueChoice};
#[cfg(feature = "network")]
pub use choros_exec::capture::Injection;
#[cfg(feature = "logs")]
pub use choros_exec::log::LogFormat;
#[cfg(feature = "logs")]
pub use choros_exec::verdicts::VerdictForm;
pub use choros_proofs::{check_certificate, realize_certificate, verify_certificate};
pub use choros_realize::{Criterion, Memory};
pub use choros_suite::{MachineTestOptions, SymbolicTestOptions};
pub use choros_symex::driver::TestVerdict;
pub use choros_unfold::{WalkRequest, walk};
#[cfg(feature = "network")]
pub use choros_watch::capture::{CaptureRequest, Pair};
#[cfg(feature = "openapi")]
pub use choros_workspace::{ImportRequest, import};
pub use conform::{ComparisonRules, ConformRequest, conform};
pub use draw::{DrawRequest, draw};
#[cfg(feature = "network")]
pub use drive::{DriveRequest, drive, judge};
pub use explain::explain;
pub use explore::{ExploreRequest, explore};
#[cfg(feature = "logs")]
pub use feed::feed;
pub use fmt::{FmtRequest, fmt};
pub use machines::{ComplyRequest, MutateRequest, comply, mutate};
#[cfg(feature = "logs")]
pub use monitor::{MonitorRequest, monitor};
pub use project::{ProjectRequest, project};
pub use realize::{RealizeRequest, RealizeRules, realize};
pub use refuse::{UselessOption, refuse_options};
pub use replay::replay;
pub use script::{ScriptRequest, script};
pub use services::step;
#[cfg(feature = "emitters")]
pub use skeleton::{SkeletonRequest, skeleton};
#[cfg(all(feature = "bpel", feature = "theses"))]
pub use solve::TreeScript;
#[cfg(feature = "bpel")]
pub use solve::{SolveRequest, solve};
pub use symbolic::{
    CoverageCriterion, Derivation, DerivedTests, ProductRequest, PurposeActions, derive,
    explore_product,
};
pub use tests::{TestForm, TestsRequest, tests};
pub use verify::{QuestionSource, VerifyRequest, verify};

#![doc = include_str!("../README.md")]

mod additions;
#[cfg(feature = "bindings")]
mod binding;
mod cache;
mod check_formulas;
mod contents;
mod convert;
mod domains;
mod fault_settings;
mod forms;
#[cfg(feature = "openapi")]
mod import;
mod inspect;
mod languages;
mod late;
mod message_conditions;
#[cfg(feature = "bpel")]
mod process_soundness;
mod properties;
mod question_files;
mod questions;
mod service;
mod settings;
mod subjects;
#[cfg(not(feature = "bindings"))]
mod without_bindings;
mod workspace;

pub use cache::{Cache, Store};
pub use check_formulas::check_formulas;
pub use contents::{Component, Model};
pub use convert::convert;
pub use fault_settings::{FaultChoice, FaultSettings};
pub use forms::{diagram_block, drawing_block, graph_block, plain_block, system_block};
#[cfg(feature = "openapi")]
pub use import::{ImportRequest, import};
pub use inspect::{bound_model, wanted};
pub use languages::{FormattedText, Formatter, Inspection, Language, formatted_kinds, language};
#[cfg(feature = "bpel")]
pub use process_soundness::judge_process;
pub use question_files::{count_questions, count_rules};
pub use questions::{PosedQuestion, QuestionSource, Questions, collect_questions};
pub use service::Service;
#[cfg(feature = "bpel")]
pub use settings::OrchestrationSettings;
pub use settings::{GchorSettings, SessionsAs, Settings};
pub use subjects::{
    Behaviour, ComparisonRules, ConformRequest, HeldModel, OneSession, OpenGraph, PosedQuestions,
    RealizeRequest, RealizeRules, Subject, VerifyRequest, cast_of, casts, choreographies,
    compared_components, compared_graphs, compared_sessions, disturbed, gchor_machines,
    one_session, open_system, questions_or_open, survived,
};
pub use workspace::{Request, Workspace, stem};

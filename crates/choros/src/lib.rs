#![doc = include_str!("../README.md")]

mod diagnostics;
mod generated;
mod kind;
mod model;
mod monitor_state;
mod progress;
mod project;
mod properties;
mod settings;
mod solver;
pub mod verbs;

pub use choros_base as base;
pub use choros_emit::{FileSet, Language};
pub use choros_model::cfsm::{Channels, Discipline};
pub use choros_realize::Mode;
pub use choros_report as report;
pub use choros_testgen::{Loops, Operator, Splitting};
pub use diagnostics::{CODES, code, codes};
pub use generated::{Fate, Manifest};
pub use kind::FileKind;
pub use model::{Component, Model};
pub use progress::Progress;
pub use project::{Project, Request};
pub use settings::{GchorSettings, Settings};

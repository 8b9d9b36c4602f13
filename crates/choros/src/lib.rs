#![doc = include_str!("../README.md")]

mod diagnostics;
mod kind;
mod model;
mod progress;
mod project;
mod settings;
mod solver;
pub mod verbs;

pub use choros_base as base;
pub use choros_realize::Mode;
pub use choros_report as report;
pub use diagnostics::{CODES, code, codes};
pub use kind::FileKind;
pub use model::{Component, Model};
pub use progress::Progress;
pub use project::{Project, Request};
pub use settings::Settings;

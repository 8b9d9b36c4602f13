#![doc = include_str!("../README.md")]

mod contents;
mod languages;
mod properties;
mod service;
mod settings;
mod workspace;

pub use contents::{Component, Model};
pub use languages::{Form, Formatter, Language, formatted_kinds, language};
pub use service::Service;
#[cfg(feature = "bpel")]
pub use settings::OrchestrationSettings;
pub use settings::{GchorSettings, Settings};
pub use workspace::{Request, Workspace, stem};

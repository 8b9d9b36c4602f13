#![doc = include_str!("../README.md")]

mod agreement;
pub mod audit;
mod census;
mod code;
mod config;
pub mod correctness;
mod diagnostics;
mod global;
mod group;
mod heads;
mod identities;
mod kind;
mod log;
mod members;
mod message;
mod monitor;
pub mod naive;
mod open;
mod pattern;
mod recent;
mod reorder;
mod state;
mod tick;
mod verdict;
mod watcher;
mod windows;

pub use census::{LogPresence, PartPresence};
pub use config::{Config, KeepObservations};
pub use diagnostics::CODES;
pub use global::{GlobalMonitor, GlobalVerdict};
pub use kind::ValueKind;
pub use monitor::{MissingPart, Monitor};
pub use pattern::UnusableProperty;
pub use state::{LogState, Mismatch, State, WindowState};
pub use verdict::{Mark, Outcome, PropertyCounts, Remark, RemarkKind, WindowVerdict};
pub use watcher::Watcher;

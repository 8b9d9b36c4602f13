#![doc = include_str!("../README.md")]

mod code;
mod config;
pub mod correctness;
mod diagnostics;
mod global;
mod heads;
mod identities;
mod monitor;
pub mod naive;
mod pattern;
mod recent;
mod reorder;
mod state;
mod verdict;
mod watch;
mod watching;

pub use config::{Config, Keep};
pub use diagnostics::CODES;
pub use global::{GlobalMonitor, GlobalVerdict};
pub use monitor::Monitor;
pub use pattern::Unusable;
pub use state::{LogState, Mismatch, State, WindowState};
pub use verdict::{Counts, Mark, Outcome, Remark, RemarkKind, WindowVerdict};
pub mod audit;

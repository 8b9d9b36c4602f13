#![doc = include_str!("../README.md")]

mod diagnostic_text;
mod evidence_text;
mod exit_status;
mod graph_text;
mod json;
mod realization;
mod report;
mod stats;
mod style;
mod table;
mod text;

pub use diagnostic_text::diagnostics_text;
pub use evidence_text::evidence_text;
pub use exit_status::ExitStatus;
pub use graph_text::{GraphMarks, graph_text};
pub use json::to_json;
pub use realization::{Addition, Realization, Repair, Violation};
pub use report::{Answer, Block, Outcome, Rejection, Report, Semantics, Sizes, Word};
pub use stats::{Counted, Stat, Stats};
pub use style::{Paint, Style};
pub use table::table;
pub use text::to_text;

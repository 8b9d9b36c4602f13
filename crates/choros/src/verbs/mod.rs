//! One function per verb.

mod audit;
mod capture;
mod check;
mod conform;
mod draw;
mod explain;
mod explore;
mod fmt;
mod machines;
mod mend;
mod project;
mod realize;
mod replay;
mod script;
mod semantic;
mod traces;

pub use audit::{AuditQuestion, audit_logs};
mod skeleton;

pub use capture::{Capturing, Pair, capture};
pub use check::check;
pub use conform::{Comparison, Rules, conform};
pub use draw::{Picture, draw};
pub use explain::explain;
pub use explore::explore;
pub use fmt::{Formatted, fmt};
pub use project::{Projecting, project};
pub use realize::{Criterion, Realizing, realize};
pub use replay::replay;
pub use script::script;
pub use skeleton::{show_files, skeleton};

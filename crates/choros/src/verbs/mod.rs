//! One function per verb.

mod check;
mod draw;
mod explain;
mod explore;
mod fmt;
mod script;

pub use check::check;
pub use draw::{Picture, draw};
pub use explain::explain;
pub use explore::explore;
pub use fmt::{Formatted, fmt};
pub use script::script;

//! One function per verb.

mod check;
mod conform;
mod draw;
mod explain;
mod explore;
mod script;

pub use check::check;
pub use conform::{Comparison, conform};
pub use draw::{Picture, draw};
pub use explain::explain;
pub use explore::explore;
pub use script::script;

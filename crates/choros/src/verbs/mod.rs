//! One function per verb.

mod check;
mod draw;
mod explain;
mod explore;
mod replay;
mod script;

pub use check::check;
pub use draw::{Picture, draw};
pub use explain::explain;
pub use explore::explore;
pub use replay::replay;
pub use script::script;

//! What the verbs say about terms of services.

mod check;
mod draw;
mod explore;
mod runs;
mod step;
mod unfold;

pub(super) use check::check;
pub(super) use draw::draw;
pub(super) use explore::explore;

pub use step::Stepper;
pub use unfold::{UnfoldRequest, unfold};

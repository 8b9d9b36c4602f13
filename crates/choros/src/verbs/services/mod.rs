//! What the verbs say about terms of services.

mod check;
mod draw;
mod step;

pub(super) use check::check;
pub(super) use draw::draw;

pub use step::Stepper;

//! What the verbs say about terms of services.

mod check;
mod step;

pub(super) use check::check;

pub use step::Stepper;

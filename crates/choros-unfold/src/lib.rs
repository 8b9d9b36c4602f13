#![doc = include_str!("../README.md")]

mod machines;
mod open;
mod walk;

pub use machines::machines;
pub use open::{Behaviour, Held, Subject, open};
pub use walk::{WalkRequest, walk};

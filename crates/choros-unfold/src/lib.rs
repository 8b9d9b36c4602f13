#![doc = include_str!("../README.md")]

mod walk;

pub use walk::{WalkRequest, walk};

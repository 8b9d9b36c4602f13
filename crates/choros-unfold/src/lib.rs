#![doc = include_str!("../README.md")]

mod machine_tests;
mod walk;

pub use walk::{WalkRequest, walk};

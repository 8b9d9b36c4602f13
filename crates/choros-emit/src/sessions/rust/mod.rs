//! A Rust test crate.

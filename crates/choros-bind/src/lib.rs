#![doc = include_str!("../README.md")]

mod envelope;

pub use envelope::{Content, Envelope, HttpExchange, Side};

#![doc = include_str!("../README.md")]

pub mod abstraction;
pub mod property;
pub mod purpose;
pub mod questions;
pub mod socl;

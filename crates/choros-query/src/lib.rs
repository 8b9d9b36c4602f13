#![doc = include_str!("../README.md")]

pub mod property;
pub mod abstraction;
pub mod socl;

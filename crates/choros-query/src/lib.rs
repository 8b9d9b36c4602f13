#![doc = include_str!("../README.md")]

pub mod abstraction;
pub mod socl;
pub mod property;

#![doc = include_str!("../README.md")]

pub mod audit;
pub mod bind;
#[cfg(feature = "network")]
pub mod capture;
mod live;
mod mapping;
pub mod monitor;
mod world;

pub use world::WatchContext;

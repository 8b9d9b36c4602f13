#![doc = include_str!("../README.md")]

#[cfg(feature = "logs")]
pub mod address;
#[cfg(feature = "logs")]
pub mod broker_address;
#[cfg(feature = "network")]
pub mod capture;
#[cfg(feature = "logs")]
mod clock;
#[cfg(feature = "logs")]
pub mod crew;
#[cfg_attr(not(feature = "logs"), allow(dead_code))]
mod diagnostics;
mod disk;
#[cfg(feature = "logs")]
pub mod feed;
#[cfg(feature = "logs")]
mod hiding;
#[cfg(feature = "logs")]
pub mod log;
#[cfg(feature = "nats")]
pub mod nats;
#[cfg(feature = "network")]
pub mod otlp;
#[cfg(feature = "logs")]
pub mod state_file;
#[cfg(feature = "logs")]
pub mod tell;
#[cfg(feature = "logs")]
pub mod verdicts;

#[cfg(feature = "logs")]
pub use clock::milliseconds_since_1970;
pub use diagnostics::CODES;
pub use disk::Disk;
#[cfg(feature = "logs")]
pub use hiding::Redaction;

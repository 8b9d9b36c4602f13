#![doc = include_str!("../README.md")]

mod checkpoint;
mod entry;
mod global;
mod judge;
mod local;
mod partition;
mod properties;
mod verdict;
mod worker;

pub use checkpoint::Checkpoint;
pub use entry::{Content, Entry};
pub use global::{GlobalPosition, GlobalStage, NotNext};
pub use judge::{Judge, Misfit};
pub use local::Partitioned;
pub use partition::{PartitionKey, partition_of, partitioned_by};
pub use properties::{PropertyJudge, VersionState, Versions};
pub use verdict::{Told, VerdictId};
pub use worker::{Fault, Order, Pace, Report, Worker};

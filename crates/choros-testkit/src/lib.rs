#![doc = include_str!("../README.md")]

mod command_line;
mod fuzz;
mod line_diff;
mod markdown;
mod monitor_logs;
mod process;
mod random;
mod random_choreography;
mod random_graph;
mod recipe;
mod suite;
mod transcript;

pub use fuzz::fuzz;
pub use monitor_logs::{ExpectedVerdicts, LogMessage, MonitorLog};
pub use random::{Random, seed_from_env};
pub use random_choreography::{Contradiction, RandomChoreography, Shape, random_choreography};
pub use random_graph::{GraphShape, RandomGraph, random_graph};
pub use suite::run_suites;

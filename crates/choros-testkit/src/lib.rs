#![doc = include_str!("../README.md")]

mod command_line;
mod free_address;
mod fuzz;
mod line_diff;
mod log_forms;
mod long_choreography;
mod markdown;
mod monitor_logs;
mod operators;
mod players;
mod plot;
mod process;
mod processor_time;
mod random;
mod random_chor;
mod random_choreography;
mod random_data_choreography;
mod random_gchor;
mod random_graph;
mod random_machines;
mod recipe;
mod service;
mod suite;
mod transcript;
mod written_value;

pub use free_address::free_address;
pub use fuzz::fuzz;
pub use log_forms::{LogText, Traffic, TrafficForm};
pub use long_choreography::long_choreography;
pub use monitor_logs::{ExpectedVerdicts, LogMessage, MonitorLog};
pub use operators::{OperatorCase, OperatorTable};
pub use players::{Player, all_bound, messages_of};
pub use plot::write_picture;
pub use processor_time::{Stopwatch, processor_time_of_this_process};
pub use random::{Random, rounds, seed_from_env};
pub use random_chor::{Activity, LogFault, RandomChor, Seen, disturb, json_lines, reorder};
pub use random_choreography::{Contradiction, RandomChoreography, Shape, random_choreography};
pub use random_data_choreography::{
    LocalRuns, SeenMessage, Situations, random_data_choreography, random_told_choreography,
};
pub use random_gchor::{GchorShape, random_formed_gchor, random_gchor};
pub use random_graph::{GraphShape, RandomGraph, random_graph};
pub use random_machines::{MachineShape, random_directed, random_machines, random_protocol};
pub use suite::run_suites;
pub use written_value::WrittenValue;

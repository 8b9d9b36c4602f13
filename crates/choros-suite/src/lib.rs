#![doc = include_str!("../README.md")]

mod answer;
mod conversation;
mod drawing;
mod json_exact;
mod json_value;
mod machines;
mod message;
mod options;
mod restore;
mod save;
mod suitable;
mod suite;

pub use answer::{folders_of, mutation_of, paths_of, roles_of};
pub use conversation::{
    read_conversation, read_timing, read_verdict, save_conversation, save_timing,
};
pub use drawing::{graph_aut, graph_drawing, tree_aut, tree_drawing};
pub use json_exact::{has_endless_number, number, read_exactly};
pub use json_value::{from_json, json_leaves, to_json};
pub use machines::{MachineTest, NoMachineTest, read_tests};
pub use message::{read_message, save_message};
pub use options::{MachineTestOptions, Origin, SymbolicTestOptions};
pub use restore::restore;
pub use suitable::judge_suite;
pub use suite::{Suite, read_machines, read_paths, save_paths};

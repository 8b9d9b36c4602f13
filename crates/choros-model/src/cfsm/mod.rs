//! Communicating machines and the systems they form.

mod canonical;
mod fsa;
mod graph;
mod machine;
mod system;

pub use fsa::{FSA_LEXICON, fsa_symbols, read_fsa, write_fsa};
pub use machine::{Cfsm, LocalAction, LocalState, Polarity, Transition};
pub use system::{
    Channels, DeadKind, Discipline, MachineId, Move, Offer, Reduction, Situation, Survey, System,
    run_along, survey, survey_with,
};

//! What is asked about a choreography.

use choros_base::Choice;

use crate::{Closing, Mode};

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// How the services communicate.
    pub mode: Mode,
    /// What a repair has to meet.
    pub criterion: Criterion,
    /// Whether additions are to be proposed.
    pub repair: bool,
    /// When everything has ended.
    pub closing: Closing,
    /// How far the composition is followed.
    pub effort: Effort,
}

/// When a choreography counts as realizable.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Criterion {
    /// The conditions on ordering, data and branching hold.
    Conditions,
    /// The projections, put together, do what the choreography says.
    #[default]
    Semantic,
}

impl Choice for Criterion {
    const CHOICES: &'static [(&'static str, Criterion, &'static str)] = &[
        (
            "conditions",
            Criterion::Conditions,
            "Ordering, data and branching conditions hold",
        ),
        (
            "semantic",
            Criterion::Semantic,
            "The projections, put together, do what the choreography says",
        ),
    ];
}

/// How far the composition is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Messages that a queue may hold.
    pub bound: usize,
    /// States of the composition.
    pub states: u64,
}

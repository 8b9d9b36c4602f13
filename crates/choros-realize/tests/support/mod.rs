#![allow(dead_code, reason = "each test file uses some of it")]

pub(crate) mod ground;
pub(crate) mod ground_part;
pub(crate) mod naive;
pub(crate) mod random_data;
pub(crate) mod random_graph;

use choros_realize::Mode;

/// The modes of the engine, each with that of the twin.
pub(crate) const MODES: [(Mode, naive::Mode); 4] = [
    (Mode::Synchronous, naive::Mode::Synchronous),
    (Mode::Sender, naive::Mode::Sender),
    (Mode::Receiver, naive::Mode::Receiver),
    (Mode::Disjoint, naive::Mode::Disjoint),
];

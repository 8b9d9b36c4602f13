#![allow(dead_code, reason = "each test file uses some of it")]

pub(crate) mod ask;
pub(crate) mod ground;
pub(crate) mod ground_memory;
pub(crate) mod ground_part;
pub(crate) mod ground_state;
pub(crate) mod naive;
pub(crate) mod random_data;
pub(crate) mod random_graph;

#![allow(dead_code, reason = "each test file uses some of it")]

pub(crate) mod naive;
pub(crate) mod random_graph;

pub mod naive;
pub mod random_graph;

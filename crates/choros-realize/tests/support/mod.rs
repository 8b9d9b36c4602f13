pub(crate) mod naive;
pub(crate) mod random_graph;

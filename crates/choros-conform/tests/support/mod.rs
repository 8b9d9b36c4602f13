//! Random pairs of models over finite sorts, and the ground relation found by trying all values.

pub(crate) mod ground;
pub(crate) mod random;

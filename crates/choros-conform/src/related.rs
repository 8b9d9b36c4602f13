//! A pair of a relation: what a search finds and the certificate confirms.

use choros_data::Term;
use choros_model::stg::NodeId;

/// Two nodes and when they are related.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RelatedPair {
    /// Of the implementation.
    pub left: NodeId,
    /// Of the specification.
    pub right: NodeId,
    /// Over the variables of both.
    pub condition: Term,
}

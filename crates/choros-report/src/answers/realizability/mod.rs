//! Can the roles realise it?

mod gchor;
mod graph;
mod lines;

use choros_data::Terms;

use super::Present;
use crate::NamedResult;

pub use gchor::{GchorRealizability, unsequenced_note};
pub(super) use gchor::{decision_lines, sizes_of_gchor};
pub use graph::GraphRealizability;

/// The answer of `realize` about one choreography.
#[derive(Debug, Clone)]
pub enum Realizability {
    /// About a graph of interactions.
    Graph(Box<GraphRealizability>),
    /// About a g-choreography, with one kind of channels.
    Gchor(Box<GchorRealizability>),
}

impl Present for Realizability {
    const VERB: &'static str = "realize";

    fn outcomes(self, terms: &Terms) -> Vec<NamedResult> {
        vec![match self {
            Realizability::Graph(answer) => answer.outcome(terms),
            Realizability::Gchor(answer) => answer.outcome(terms),
        }]
    }
}

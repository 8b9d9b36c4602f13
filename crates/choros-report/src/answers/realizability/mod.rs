//! Can the roles realise it?

mod gchor;
mod graph;
mod lines;

use choros_data::Terms;

use super::{Present, Survived};
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
    /// About roles under faults.
    Survived(Box<Survived>),
}

impl Present for Realizability {
    const VERB: &'static str = "realize";

    fn doubt(&mut self, is_about_nothing: &dyn Fn(&str) -> bool) {
        match self {
            Realizability::Graph(answer) if is_about_nothing(answer.graph.name()) => answer.doubt(),
            Realizability::Gchor(answer) if is_about_nothing(&answer.name) => {
                answer.is_about_nothing = true;
            }
            Realizability::Survived(answer) if is_about_nothing(&answer.name) => answer.doubt(),
            Realizability::Graph(_) | Realizability::Gchor(_) | Realizability::Survived(_) => {}
        }
    }

    fn outcomes(self, terms: &Terms) -> Vec<NamedResult> {
        vec![match self {
            Realizability::Graph(answer) => answer.outcome(terms),
            Realizability::Gchor(answer) => answer.outcome(terms),
            Realizability::Survived(answer) => answer.outcome(terms),
        }]
    }
}

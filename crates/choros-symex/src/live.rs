//! Which variables matter in a state: those that some path reads before it writes them.

use choros_data::{Term, Terms, Var};
use choros_model::stg::FieldValue;
use rustc_hash::FxHashSet;

use crate::graph::{EdgeLabel, Graph, GraphEdge};

/// For each state, the positions of its live variables, ascending.
pub(crate) fn live_variables(graph: &Graph, terms: &Terms) -> Vec<Vec<usize>> {
    let position = |variable: Var| graph.variables.iter().position(|&it| it == variable);
    let uses: Vec<Use> = graph
        .edges()
        .iter()
        .map(|edge| Use::of(edge, terms))
        .collect();
    let mut live: Vec<FxHashSet<Var>> = vec![FxHashSet::default(); graph.states.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (edge, usage) in graph.edges().iter().zip(&uses).rev() {
            let behind: Vec<Var> = live[edge.target.index()]
                .iter()
                .copied()
                .filter(|variable| !usage.written.contains(variable))
                .collect();
            let here = &mut live[edge.source.index()];
            for variable in usage.read.iter().copied().chain(behind) {
                changed |= here.insert(variable);
            }
        }
    }
    live.into_iter()
        .map(|variables| {
            let mut positions: Vec<usize> = variables.into_iter().filter_map(position).collect();
            positions.sort_unstable();
            positions
        })
        .collect()
}

/// What an edge reads of the values before it, and what it writes for sure.
struct Use {
    read: Vec<Var>,
    written: FxHashSet<Var>,
}

impl Use {
    fn of(edge: &GraphEdge, terms: &Terms) -> Use {
        let mut usage = Use {
            read: terms.free_variables(edge.guard),
            written: FxHashSet::default(),
        };
        if let EdgeLabel::Message(message) = &edge.label {
            for field in &message.fields {
                if let FieldValue::Free(term) = field.value {
                    usage.read(term, terms);
                }
            }
            for field in &message.fields {
                if let FieldValue::Bind(variable) = field.value {
                    usage.written.insert(variable);
                }
            }
        }
        usage.read(edge.accepts, terms);
        for update in &edge.updates {
            usage.read(update.value, terms);
            usage.written.insert(update.variable);
        }
        usage
    }

    fn read(&mut self, term: Term, terms: &Terms) {
        for variable in terms.free_variables(term) {
            if !self.written.contains(&variable) {
                self.read.push(variable);
            }
        }
    }
}

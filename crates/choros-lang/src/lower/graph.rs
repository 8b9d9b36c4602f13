//! The graph of a component that is written as one.
//!
//! Such components have no `√` in their syntax: nodes without outgoing transitions terminate.

use choros_base::Names;
use choros_data::Terms;
use choros_model::stg::label::Label;
use choros_model::stg::{Edge, Ending, NodeId, Stg, StgBuilder};
use rustc_hash::FxHashMap;

use super::NoGraph;
use crate::ast::Graph;

/// The graph as it is listed; the first state is the initial one.
pub(crate) fn lower_graph(
    name: &str,
    graph: &Graph,
    labels: &[Option<Label>],
    terms: &mut Terms,
) -> Result<Stg, NoGraph> {
    let mut builder = StgBuilder::new(name, Ending::Sinks);
    let mut nodes = FxHashMap::default();
    for state in &graph.states {
        let label = match &state.label {
            Some(label) => label.clone(),
            None => text(&terms.names, state.name.name),
        };
        nodes.insert(state.name.name, builder.node(label));
    }
    if graph.states.is_empty() || labels.len() != graph.transitions.len() {
        return Err(NoGraph::Mistakes);
    }
    for (transition, label) in graph.transitions.iter().zip(labels) {
        let (Some(label), Some(syntax)) = (label, &transition.label) else {
            return Err(NoGraph::Mistakes);
        };
        let ends = (
            nodes.get(&transition.source.name),
            nodes.get(&transition.target.name),
        );
        let (Some(&source), Some(&target)) = ends else {
            return Err(NoGraph::Mistakes);
        };
        builder.edge(
            terms,
            Edge {
                source,
                target,
                guard: label.guard,
                event: label.event.clone(),
                updates: label.updates.clone(),
                origin: Some(syntax.span),
            },
        );
    }
    Ok(builder.finish(NodeId(0)))
}

fn text(names: &Names, name: choros_base::Name) -> String {
    names.text(name).to_owned()
}

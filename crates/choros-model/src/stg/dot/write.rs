//! Graphs as DOT.

use choros_syntax::quote;
use std::collections::BTreeSet;

use choros_data::{Term, Terms};

use crate::stg::{EdgeId, Ending, FreeVariables, NodeId, Stg};

/// Parts of a graph that are drawn dashed, such as what an analysis would remove.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DotMarks {
    pub edges: BTreeSet<EdgeId>,
    /// Terminations: the node and the position there.
    pub terminations: BTreeSet<(NodeId, usize)>,
}

/// The graph in the language of Graphviz.
pub fn write_dot(stg: &Stg, marks: &DotMarks, terms: &Terms) -> String {
    let free = FreeVariables::of(stg, terms);
    let mut out = format!("digraph {} {{\n", quote::dot(stg.name()));
    match stg.ending() {
        Ending::Explicit => out.push_str("  comment=\"explicit\";\n"),
        Ending::Stopped => out.push_str("  comment=\"stopped\";\n"),
        Ending::Sinks => {}
    }
    let initial = stg.initial();
    let others = stg.node_ids().filter(|&node| node != initial);
    for node in std::iter::once(initial).chain(others) {
        let mut label = stg.node(node).label.clone();
        let variables = free.names_at(node, terms);
        if !variables.is_empty() {
            label.push_str(&format!("\n{{{}}}", variables.join(", ")));
        }
        let terminations = &stg.node(node).terminations;
        let shape = match stg.ending() {
            Ending::Explicit | Ending::Stopped => "",
            Ending::Sinks if !terminations.is_empty() => ", peripheries=2",
            Ending::Sinks if stg.outgoing(node).next().is_none() => {
                ", comment=\"stuck\", color=\"red\""
            }
            Ending::Sinks => "",
        };
        out.push_str(&format!(
            "  {} [label={}{shape}];\n",
            node.0,
            quote::dot(&label)
        ));
    }
    out.push_str("  start [shape=\"point\"];\n");
    out.push_str(&format!("  start -> {};\n", initial.0));
    let drawn = |node: NodeId, stg: &Stg| match stg.ending() {
        Ending::Explicit | Ending::Stopped => true,
        // A double border says it.
        Ending::Sinks => stg.outgoing(node).next().is_some(),
    };
    if stg
        .node_ids()
        .any(|node| drawn(node, stg) && !stg.node(node).terminations.is_empty())
    {
        out.push_str("  end [label=\"√\", shape=\"plaintext\"];\n");
    }
    for node in stg.node_ids() {
        for (id, edge) in stg.outgoing(node) {
            out.push_str(&format!(
                "  {} -> {} [label={}{}];\n",
                node.0,
                edge.target.0,
                quote::dot(&edge.label_text(terms)),
                style(marks.edges.contains(&id))
            ));
        }
        for (position, termination) in stg.node(node).terminations.iter().enumerate() {
            if !drawn(node, stg) {
                continue;
            }
            let label = match termination.guard {
                Term::TRUE => "√".to_owned(),
                guard => format!("[{}] √", terms.print(guard)),
            };
            out.push_str(&format!(
                "  {} -> end [label={}{}];\n",
                node.0,
                quote::dot(&label),
                style(marks.terminations.contains(&(node, position)))
            ));
        }
    }
    out.push_str("}\n");
    out
}

fn style(marked: bool) -> &'static str {
    if marked {
        ", style=\"dashed\", color=\"gray50\", fontcolor=\"gray50\""
    } else {
        ""
    }
}

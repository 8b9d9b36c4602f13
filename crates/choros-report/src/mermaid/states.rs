//! States and transitions as a state diagram of Mermaid.

use super::graph::title;
use super::quote;
use crate::{DrawnEdge, GraphDrawing};

/// The state chart: `guard event / assignments` on the arrows, as in UML.
pub(super) fn states_mermaid(drawing: &GraphDrawing) -> String {
    let mut out = format!("{}stateDiagram-v2\n", title(drawing));
    if drawing.nodes.iter().any(|it| it.folded) {
        out.push_str("    classDef folded stroke-dasharray: 4 3\n");
    }
    for (index, node) in drawing.nodes.iter().enumerate() {
        let mut label = quote(&node.label);
        if !node.variables.is_empty() {
            label.push_str(&quote(&format!(" {{{}}}", node.variables.join(", "))));
        }
        out.push_str(&format!("    state \"{label}\" as s{index}\n"));
        if node.folded {
            out.push_str(&format!("    class s{index} folded\n"));
        }
    }
    out.push_str(&format!("    [*] --> s{}\n", drawing.initial));
    for edge in &drawing.edges {
        let text = quote(&transition_text(edge));
        let (source, target) = (edge.source, edge.target);
        out.push_str(&format!("    s{source} --> s{target}: {text}\n"));
    }
    for (index, node) in drawing.nodes.iter().enumerate() {
        for termination in &node.terminations {
            let guard = termination.guard.as_ref();
            let guard = guard.map(|guard| format!(": {}", quote(&format!("[{guard}]"))));
            out.push_str(&format!(
                "    s{index} --> [*]{}\n",
                guard.unwrap_or_default()
            ));
        }
    }
    out
}

fn transition_text(edge: &DrawnEdge) -> String {
    let mut text = String::new();
    if let Some(guard) = &edge.guard {
        text.push_str(&format!("[{guard}] "));
    }
    text.push_str(if edge.silent { "τ" } else { &edge.event });
    if !edge.updates.is_empty() {
        text.push_str(&format!(" / {}", edge.updates.join(", ")));
    }
    // A state diagram has no dashes.
    if edge.dead {
        text.push_str(" (never)");
    }
    text
}

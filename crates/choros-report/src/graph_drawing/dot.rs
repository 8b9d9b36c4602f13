//! A system of states for Graphviz; symbolic graphs have a writer of their own, whose texts read back.

use super::GraphDrawing;
use choros_syntax::quote;

/// The drawing in the language of Graphviz.
pub(super) fn graph_dot(drawing: &GraphDrawing) -> String {
    let mut out = format!("digraph {} {{\n", quote::dot(&drawing.name));
    for (index, node) in drawing.nodes.iter().enumerate() {
        let shape = match (node.terminations.is_empty(), node.stuck) {
            (false, _) => ", peripheries=2",
            (true, true) => ", color=\"red\"",
            (true, false) => "",
        };
        let folded = if node.folded {
            ", shape=\"box\", style=\"dashed\""
        } else {
            ""
        };
        out.push_str(&format!(
            "  {index} [label={}{shape}{folded}];\n",
            quote::dot(&node.label)
        ));
    }
    out.push_str("  start [shape=\"point\"];\n");
    out.push_str(&format!("  start -> {};\n", drawing.initial));
    for edge in &drawing.edges {
        let mut lines: Vec<String> = edge.guard.iter().map(|it| format!("[{it}]")).collect();
        lines.push(edge.event.clone());
        lines.extend(edge.updates.iter().cloned());
        let label = quote::dot(&lines.join("\n"));
        out.push_str(&format!(
            "  {} -> {} [label={label}];\n",
            edge.source, edge.target
        ));
    }
    out.push_str("}\n");
    out
}

//! A graph as a flowchart of Mermaid, or as a state diagram where its nodes are states.

use super::quote;
use super::states::states_mermaid;
use crate::GraphDrawing;

/// The drawing in the language of Mermaid.
pub fn graph_mermaid(drawing: &GraphDrawing) -> String {
    if drawing.is_state_chart {
        return states_mermaid(drawing);
    }
    let mut out = format!("{}flowchart TD\n", title(drawing));
    out.push_str("    start((\" \")) --> ");
    out.push_str(&format!("s{}\n", drawing.initial));
    for (index, node) in drawing.nodes.iter().enumerate() {
        let mut label = quote(&node.label);
        if !node.variables.is_empty() {
            label.push_str(&format!(
                "<br/>{}",
                quote(&format!("{{{}}}", node.variables.join(", ")))
            ));
        }
        let ends = node.terminations.iter().any(|it| it.guard.is_none());
        let (open, close) = match (node.folded, ends) {
            (true, _) => ("[[", "]]"),
            (false, true) => ("(((", ")))"),
            (false, false) => ("([", "])"),
        };
        out.push_str(&format!("    s{index}{open}\"{label}\"{close}\n"));
    }
    for edge in &drawing.edges {
        let mut lines: Vec<String> = Vec::new();
        lines.extend(
            edge.guard
                .as_ref()
                .map(|guard| quote(&format!("[{guard}]"))),
        );
        lines.push(if edge.silent {
            "τ".to_owned()
        } else {
            quote(&edge.event)
        });
        lines.extend(edge.updates.iter().map(|update| quote(update)));
        let arrow = if edge.dead { "-.->" } else { "-->" };
        out.push_str(&format!(
            "    s{} {arrow}|\"{}\"| s{}\n",
            edge.source,
            lines.join("<br/>"),
            edge.target
        ));
    }
    for (index, node) in drawing.nodes.iter().enumerate() {
        for (place, termination) in node.terminations.iter().enumerate() {
            if let Some(guard) = &termination.guard {
                let arrow = if termination.dead { "-.->" } else { "-->" };
                out.push_str(&format!(
                    "    s{index} {arrow}|\"{}\"| e{index}_{place}[\"√\"]\n",
                    quote(&format!("[{guard}]"))
                ));
            }
        }
    }
    out
}

/// What stands before a diagram.
pub(super) fn title(drawing: &GraphDrawing) -> String {
    format!("---\ntitle: \"{}\"\n---\n", yaml(&drawing.name))
}

/// A string of YAML, between double quotes.
fn yaml(text: &str) -> String {
    text.chars()
        .filter(|character| !character.is_control())
        .collect::<String>()
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
}

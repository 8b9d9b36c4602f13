//! Graphs of orchestrations in Aldebaran's form, with guards and updates as part of the labels.
//!
//! The form has labels and nothing else, so nothing but a drawing tool understands what stands in them: it is how
//! Bentakouk's tools showed their graphs (section 4.3 of the thesis), and nothing that we read back as a graph.

use choros_data::Terms;

use super::Stg;

/// Writes a graph; `√` is the label `term`, and leads to the node that is stopped, or to one more.
pub fn write_graph_aut(stg: &Stg, terms: &Terms) -> String {
    let counts = stg.counts();
    let mut out = format!(
        "des ({}, {}, {})\n",
        stg.initial().0,
        counts.transitions,
        counts.states
    );
    let ended = stg
        .stopped()
        .map_or(stg.nodes().len() as u32, |node| node.0);
    for node in stg.node_ids() {
        for (_, edge) in stg.outgoing(node) {
            let label = escaped(&edge.label_text(terms));
            out.push_str(&format!("({}, \"{label}\", {})\n", node.0, edge.target.0));
        }
        for termination in &stg.node(node).terminations {
            let label = match termination.guard {
                choros_data::Term::TRUE => "term".to_owned(),
                guard => escaped(&format!("[{}] term", terms.print(guard))),
            };
            out.push_str(&format!("({}, \"{label}\", {ended})\n", node.0));
        }
    }
    out
}

/// A label is one line between quotes.
fn escaped(label: &str) -> String {
    label
        .replace('"', "'")
        .replace('\r', "\\r")
        .replace('\n', "\\n")
}

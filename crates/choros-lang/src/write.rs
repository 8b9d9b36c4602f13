//! Graphs as components of a SChorA script.

use choros_data::{Term, Terms};
use choros_model::stg::Stg;

/// The graph as a component of kind `STG` (Appendix A of Nguyen's thesis).
///
/// The initial state is listed first, which makes it initial. The form has no word for termination: states without
/// outgoing transitions terminate, and where a graph says otherwise a comment does too.
pub fn write_component(stg: &Stg, terms: &Terms) -> String {
    let mut text = format!("component {} STG\n", stg.name());
    let others = stg.node_ids().filter(|&node| node != stg.initial());
    for node in std::iter::once(stg.initial()).chain(others) {
        let number = node.0 + 1;
        let terminations = &stg.node(node).terminations;
        let sink = stg.outgoing(node).next().is_none();
        let always = terminations
            .iter()
            .any(|termination| termination.guard == Term::TRUE);
        let mut comment = String::new();
        if sink && terminations.is_empty() {
            comment = " // does not terminate".to_owned();
        } else if !(terminations.is_empty() || sink && always) {
            let guards: Vec<String> = terminations
                .iter()
                .filter(|termination| termination.guard != Term::TRUE)
                .map(|termination| format!(" if {}", terms.print(termination.guard)))
                .collect();
            comment = format!(" // may terminate{}", guards.join(","));
        }
        text.push_str(&format!("    {number};{comment}\n"));
    }
    for edge in stg.edges() {
        text.push_str(&format!(
            "    {} -> {} [label=\"{}\"];\n",
            edge.source.0 + 1,
            edge.target.0 + 1,
            edge.label_text(terms)
                .replace('\\', "\\\\")
                .replace('"', "\\\"")
        ));
    }
    text.push_str("end component\n");
    if stg.ending().is_step() {
        text.insert_str(0, "// Termination is a step of its own in the original.\n");
    }
    text
}

//! An implementation that may continue in silence forever.

use choros_base::{CodeInfo, Diagnostic, Severity};
use choros_model::stg::{NodeId, Stg};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0401",
    name: "divergent-implementation",
    severity: Severity::Warning,
    documentation: "\
## What it checks
After hiding the messages that the specification does not mention, the implementation has no cycle of silent steps.

## Why it matters
Conformance is a branching bisimulation, which does not distinguish an implementation that makes progress from one that stays busy with hidden messages forever.
Such an implementation may conform although its partners wait forever.

## Example
```
component spec chorD Request[b,v] end component
component impl STG
  0; 1;
  0 -> 0 [label=\"Ping[v,w]\"];
  0 -> 1 [label=\"Request[b,v]\"];
end component
```
`Ping` is hidden, and nothing says that it ends.

## Reference
R. J. van Glabbeek and W. P. Weijland, *Branching Time and Abstraction in Bisimulation Semantics*, 1996: divergence.
",
};

/// The finding for a graph and its nodes from which silence leads back to them; `None` when there are none.
pub fn diagnostic(graph: &Stg, divergent: &[NodeId]) -> Option<Diagnostic> {
    let first = *divergent.first()?;
    let label = &graph.node(first).label;
    let message = format!(
        "`{}` can exchange hidden messages forever from state {label}",
        graph.name()
    );
    let mut edges = graph.outgoing(first).map(|(_, edge)| edge);
    let origin = edges
        .find(|edge| divergent.contains(&edge.target))
        .and_then(|edge| edge.origin);
    let diagnostic = match origin {
        Some(span) => Diagnostic::new(
            &CODE,
            message,
            span,
            "hidden, and leads back to where it started",
        ),
        None => Diagnostic::without_place(&CODE, message),
    };
    Some(diagnostic.note("conformance does not distinguish endless silence from progress"))
}

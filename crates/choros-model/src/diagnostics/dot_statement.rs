//! Something in a DOT file, or in an STG component of a script, that describes no graph of ours.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0210",
    name: "dot-statement",
    severity: Severity::Error,
    documentation: "\
## What it checks
A graph in DOT consists of nodes, and of edges each with a label `[guard] event`.

## Why it matters
What is not understood is left out of the graph.

## Example
```
digraph shop {
  0; 1;
  0 -> 1;
}
```
What happens on the way from 0 to 1?

## Reference
Appendix A of Nguyen's thesis: `0 -> 1 [label=\"[x < 5] Confirm[v,b]\"];`.
An edge on which nothing is seen is labelled `tau`.
Subgraphs and ports of Graphviz have no meaning here.
",
};

/// What begins at `span` is not a statement.
pub(crate) fn diagnostic(span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        "this describes neither a node nor an edge",
        span,
        "expected the name or number of a node",
    )
}

/// The edge at `span` has no label, or leads from or to something that is not a state.
pub(crate) fn without_label(span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        "an edge between two states needs a label",
        span,
        "expected `[label=\"[guard] event\"]`",
    )
    .note("an edge on which nothing is seen is labelled `tau`")
}

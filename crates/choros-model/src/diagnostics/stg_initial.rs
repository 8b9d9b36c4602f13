//! A graph of which no one says where it starts.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0207",
    name: "initial-node",
    severity: Severity::Error,
    documentation: "\
## What it checks
A `.stg` file has a statement `initial NUMBER`; a DOT file has at least one node.

## Why it matters
Everything asked about a graph is asked about the runs that start there.

## Example
```
stg shop explicit
0 -> 1: Request[b,v]
1: end
```

## Reference
In DOT files the first node that is listed is the initial one.
",
};

/// There is no such statement; `span` is the header's.
pub(crate) fn missing(span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        "no statement says where runs start",
        span,
        "`initial NUMBER` is missing",
    )
    .note("read as if runs started in the node with the smallest number")
}

/// A DOT file without nodes.
pub(crate) fn no_nodes(span: Span) -> Diagnostic {
    Diagnostic::new(&CODE, "the graph has no nodes", span, "nothing starts here")
}

//! A `.stg` file without its first statement.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0206",
    name: "stg-header",
    severity: Severity::Error,
    documentation: "\
## What it checks
A `.stg` file says `stg NAME explicit` or `stg NAME sinks`.

## Why it matters
Whether nodes without outgoing edges have terminated or are stuck decides about conformance and deadlocks, so it is never guessed.

## Example
```
initial 0
0 -> 1: Request[b,v]
```
Is node 1 the end, or a deadlock?

## Reference
`explicit`: only `2: end` terminates, and counts as a step; this is how choreographies in text end.
`sinks`: nodes without outgoing edges terminate, and nothing is counted; this is how DOT files end.
",
};

/// There is no header; `span` is where it could stand.
pub(crate) fn missing(span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        "the file does not say `stg NAME explicit` or `stg NAME sinks`",
        span,
        "expected before anything else",
    )
    .note("read as if it said `explicit`")
}

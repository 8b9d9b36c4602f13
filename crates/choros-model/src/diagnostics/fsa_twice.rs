//! Two machines for one participant.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0833",
    name: "fsa-twice",
    severity: Severity::Error,
    documentation: "\
## What it checks
A file has at most one machine for each participant.

## Why it matters
Channels are named by their ends: with two machines of one name, the receiver would be ambiguous.

## Example
```
.outputs A
.marking 0
.end
.outputs A
.marking 0
.end
```

## Reference
Coto's thesis, section 2.1.3: a communicating system has one machine for each participant.
",
};

/// The machine at `span` has the name of the one at `first`.
pub(crate) fn diagnostic(span: Span, participant: &str, first: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("there are two machines called `{participant}`"),
        span,
        "again here",
    )
    .label(first, "first here")
}

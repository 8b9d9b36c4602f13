//! More brackets within brackets than anyone reads.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0702",
    name: "question-nested-too-deeply",
    severity: Severity::Error,
    documentation: "\
## What it checks
A formula does not nest more than a hundred operators or brackets within each other.

## Why it matters
The time and memory of an answer grow with the depth; no question that a person asks is that deep.

## Example
```
not not not not … true
```

## Reference
A limit of this tool.
",
};

/// `deepest` levels are the limit.
pub(crate) fn diagnostic(span: Span, deepest: usize) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("the formula nests more than {deepest} levels"),
        span,
        "the limit is reached here",
    )
}

//! More assumptions of fairness than can be kept.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0734",
    name: "too-many-assumptions",
    severity: Severity::Error,
    documentation: "\
## What it checks
A formula has at most 64 assumptions of fairness.

## Why it matters
An endless path is fair if it meets all of them, and each is a set of steps of its own.

## Example
```
assume fair: ack, nack;          // two assumptions; `ack or nack` is one
```

## Reference
The chapter on formulas of the book.
",
};

/// `most` is how many there can be.
pub fn diagnostic(span: Span, most: usize) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("there are more than {most} assumptions of fairness"),
        span,
        "this formula",
    )
    .note("steps that are joined with `or` are one assumption")
}

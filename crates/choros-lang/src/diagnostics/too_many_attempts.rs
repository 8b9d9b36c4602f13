//! `retry` with no attempt, or with too many.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0156",
    name: "too-many-attempts",
    severity: Severity::Error,
    documentation: "\
## What it checks
`retry n times` has at least one attempt and at most 100.

## Why it matters
`n` counts all attempts, the first one included. Every copy can be in transit when something else happens, so many attempts make a large graph.

## Example
```
retry 0 times every 1s { order -> payment: Charge(id) once by id; payment -> order: Charged(id) }
```
Repaired: `retry 3 times every 1s { … }`, or `loop` with `again` for any number of rounds.

## Reference
The table of statements in `docs/language.md`.
",
};

/// The number does not fit.
pub(crate) fn diagnostic(span: Span, most: u32) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("between 1 and {most} attempts are possible"),
        span,
        "how many attempts there are in all",
    )
}

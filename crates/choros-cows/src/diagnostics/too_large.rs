//! A term that is too large.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0614",
    name: "term-too-large",
    severity: Severity::Error,
    documentation: "\
## What it checks
With definitions substituted for their calls, a term has at most 200,000 parts.

## Why it matters
Definitions that call others twice double the term with each step; a limit keeps a small file from needing all memory.

## Example
```
let A = B() | B()  B = C() | C()  C = D() | D()  … in A() end
```

## Reference
What is needed many times at once is better written with the replication `*`.
",
};

/// Too many parts.
pub(crate) fn diagnostic(span: Span, limit: usize) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!(
            "with definitions substituted for their calls, the term has more than {limit} parts"
        ),
        span,
        "too large from here on",
    )
}

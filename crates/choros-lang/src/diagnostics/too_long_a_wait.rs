//! A `wait` of more steps than a graph should have.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0133",
    name: "too-long-a-wait",
    severity: Severity::Error,
    documentation: "\
## What it checks
`wait N` waits at most 10000 units of time.

## Why it matters
Each unit is a step of the graph: `wait 1000000` would give a graph of a million states that says no more than one of ten.

## Example
```
wait 86400      // a day in seconds: choose hours as the unit of time
```

## Reference
`χ` of the ABPEL tester, one unit of time.
",
};

/// The longest wait.
pub(crate) const MAX_TICKS: u32 = 10_000;

/// The number at `span` is too large.
pub(crate) fn diagnostic(span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("a wait is at most {MAX_TICKS} units of time long"),
        span,
        "too long",
    )
    .note("each unit is a state of the graph; choose a larger unit of time")
}

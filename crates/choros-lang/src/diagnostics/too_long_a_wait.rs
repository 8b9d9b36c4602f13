//! A `wait` of more steps than a graph should have.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0133",
    name: "too-long-a-wait",
    severity: Severity::Error,
    documentation: "\
## What it checks
`wait` and `timeout` take at most 10000 ticks.
A tick is one unit of time, or the greatest common divisor of all durations of the file.

## Why it matters
Each tick is a step of the graph: `wait 1000000` would give a graph of a million states that says no more than one of ten.

## Example
```
wait 86400      // a day in seconds: choose hours as the unit of time
wait 1ms        // with `timeout 1h` in the same file: 3600000 ticks
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
        format!("a duration is at most {MAX_TICKS} ticks long"),
        span,
        "too long",
    )
    .note("each tick is a state of the graph, and a tick divides all durations of the file; choose rounder ones")
}

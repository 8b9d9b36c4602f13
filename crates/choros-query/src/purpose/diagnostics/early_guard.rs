//! A guard on what is received just then.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1206",
    name: "guard-before-datum",
    severity: Severity::Warning,
    documentation: "\
## What it checks
A guard does not use data that the event of the same transition brings.

## Why it matters
Guards are evaluated before the event: the guard sees the value of an earlier message, or none.

## Example
```
T0 -> T1: [s.offerCode == 1] USER.select?s   // put the guard on a `tau` after it
```

## Reference
Section 3.3.1 of Bentakouk, \"Symbolic Testing Approach of Composite Web Services\": the guard is evaluated before the event; a guard on received data goes on a separate `tau`.
",
};

/// The guard reads what the event writes.
pub(crate) fn diagnostic(span: Span, variable: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("the guard is evaluated before the event brings `{variable}`"),
        span,
        "this sees the value of an earlier message",
    )
    .note("put the guard on a transition `tau` after the event")
}

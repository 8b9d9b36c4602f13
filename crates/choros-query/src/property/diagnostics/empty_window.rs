//! A window in which nothing can be seen.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1002",
    name: "empty-window",
    severity: Severity::Error,
    documentation: "\
## What it checks
The number of messages in a window is a whole number greater than 0; so is a time.

## Why it matters
In a window of no messages nothing can be expected, and everything is avoided.

## Example
```
within 0 messages
```

## Reference
Definition 15: the distance d is a positive integer.
",
};

/// The number is none that a window can have.
pub(crate) fn diagnostic(span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        "a window holds at least one message, or some time",
        span,
        "nothing can be seen in this window",
    )
    .note("read as `within 1 messages`")
}

//! `late` with a message that the timeout does not await.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

use super::quoted;

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0153",
    name: "never-late",
    severity: Severity::Error,
    documentation: "\
## What it checks
`late M` says what becomes of a message `M` that comes after the time is over; the role that measures the time awaits `M` in the body.

## Why it matters
No other message can come too late here, so the answer would never be given.

## Example
```
payment -> order: Charged within 3s else {
    order -> payment: Void
} late Charge {}         // meant: `late Charged`
```

## Reference
`docs/language.md`, time.
",
};

/// `message` at `span` is not sent to `role` in the body.
pub(crate) fn diagnostic(span: Span, message: &str, role: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!(
            "{} is not a message that {} awaits here",
            quoted(message),
            quoted(role)
        ),
        span,
        "cannot be late",
    )
    .note(format!(
        "`late` names a message to {} in the body of the timeout",
        quoted(role)
    ))
}

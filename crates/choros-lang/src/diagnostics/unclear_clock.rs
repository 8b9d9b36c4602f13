//! A timeout of which it is not clear who measures it.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0150",
    name: "unclear-clock",
    severity: Severity::Error,
    documentation: "\
## What it checks
One role measures each `timeout`: the role after `at`, or the one that begins the block after `else`.

## Why it matters
Every role has a clock of its own, and only the role that measures knows that the time is over; the others learn it by messages.

## Example
```
timeout 3s {
    choice { bank -> shop: Paid } or { bank -> user: Declined }
} else {}                // the shop or the user? `timeout 3s at shop { … }`
```

## Reference
`docs/language.md`, time.
",
};

/// The time at `span` is measured by no one.
pub(crate) fn diagnostic(span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        "it is not clear which role measures this time",
        span,
        "by whose clock?",
    )
    .note("name the role: `timeout 3s at order { … }`")
}

//! A timeout whose body lets its role receive nothing.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

use super::quoted;

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0151",
    name: "nothing-awaited",
    severity: Severity::Error,
    documentation: "\
## What it checks
In the body of a `timeout`, the role that measures the time receives a message, whatever happens there.

## Why it matters
The timer stops when its role receives something: a role knows of nothing else that others do.
A timer that nothing stops would always run out.

## Example
```
timeout 3s at shop {
    bank -> user: Paid           // the shop does not see it
} else {
    shop -> user: TimedOut
}
```

## Reference
`docs/language.md`, time.
",
};

/// The time at `span` is measured by `role`, which awaits nothing.
pub(crate) fn diagnostic(span: Span, role: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!(
            "{} measures this time, but might receive nothing that stops its timer",
            quoted(role)
        ),
        span,
        format!("measured by {}", quoted(role)),
    )
    .note("the role must receive a message on every way through the body; `at` names another role")
}

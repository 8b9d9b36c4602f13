//! A crash that no one role notices.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

use super::quoted;

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0158",
    name: "unclear-witness",
    severity: Severity::Error,
    documentation: "\
## What it checks
One role notices the crash of `on crash of`, and it is another one: the role after `at`, or else the only role that begins the block.

## Why it matters
A role that has stopped says nothing. One of the others has to notice it, and the rest learn of it by messages.

## Example
```
try {
    payment -> order: Charged(id)
} on crash of payment {
    skip
}
```
Repaired: `on crash of payment at order { skip }`.

## Reference
A. Barwell, A. Scalas, N. Yoshida, F. Zhou, *Generalised Multiparty Session Types with Crash-Stop Failures*, CONCUR 2022.
",
};

/// No role begins the block, several do, or the one that has crashed.
pub(crate) fn diagnostic(span: Span, crashed: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!(
            "it is not clear who notices that {} has crashed",
            quoted(crashed)
        ),
        span,
        "who notices it?",
    )
    .note(format!("write `on crash of {crashed} at` and another role"))
}

//! A variable that is bound twice.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1004",
    name: "bound-again",
    severity: Severity::Error,
    documentation: "\
## What it checks
No variable is bound twice on the way from the first message of the context to an alternative of the consequence.

## Why it matters
The second binding would hide the first, where equality may have been meant.

## Example
```
context Request[c,s]?(weight = w) within 1 messages expect Response[s,c]!(fee = w)
```

## Reference
Prop-tester refuses this too. Bind another variable and compare: `where f == w`.
",
};

/// `name` holds a value already.
pub(crate) fn diagnostic(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("`{name}` is bound twice"),
        span,
        "it holds a value already",
    )
    .note("bind another variable and compare the two in a condition")
}

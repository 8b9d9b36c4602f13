//! A condition that cannot be evaluated message by message.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1008",
    name: "unsupported-condition",
    severity: Severity::Error,
    documentation: "\
## What it checks
Conditions are over numbers, texts and truth values.

## Why it matters
A condition that a monitor could not evaluate would never be true, and a forbidden message would go unseen.

## Example
```
expect Response[s,c]!(country = k) where k.code == 33
```

## Reference
Values within structured messages are named by their paths: `(country.code = k)`.
",
};

/// The condition needs `what`.
pub(crate) fn diagnostic(span: Span, what: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("a condition of a property cannot use {what}"),
        span,
        "this cannot be evaluated message by message",
    )
}

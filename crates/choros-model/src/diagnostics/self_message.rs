//! A message from a role to itself.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0204",
    name: "self-message",
    severity: Severity::Error,
    documentation: "\
## What it checks
The sender and the receiver of a message are different roles.

## Why it matters
Choreographies describe what happens between roles; what a role does by itself is its own business, and a product would wait for ever for the other end.

## Example
```
Request[b,b].<x>
```

## Reference
Nguyen's thesis, section 3.1: `o[a,b]` with `a` different from `b`.
What a role does unseen is `tau`.
",
};

/// The role at `span` talks to itself.
pub fn diagnostic(span: Span, role: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("`{role}` sends a message to itself"),
        span,
        "sender and receiver are the same role",
    )
}

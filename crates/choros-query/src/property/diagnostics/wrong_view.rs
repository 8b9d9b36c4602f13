//! A message that the log of the service cannot hold.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1009",
    name: "unseen-message",
    severity: Severity::Warning,
    documentation: "\
## What it checks
A property of a service is about messages that the service sends or receives.

## Why it matters
A context that is never seen makes the property say nothing; a forbidden message that is never seen makes it hold for no reason.

## Example
```
property p on s { context Request[c,s]!(any) … }      // `!` is c's view
```

## Reference
Definition 19: the log of d holds what d sent and received.
",
};

/// The log of `service` holds no such message.
pub(crate) fn diagnostic(span: Span, service: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("the log of `{service}` cannot hold this message"),
        span,
        format!("`{service}` neither sends nor receives it so"),
    )
}

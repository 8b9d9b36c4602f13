//! A participant that sends to itself.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

use super::quoted;

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0803",
    name: "self-interaction",
    severity: Severity::Error,
    documentation: "\
## What it checks
The sender and the receiver of an interaction are different participants.

## Why it matters
Channels connect different participants; what a participant does on its own is not part of a choreography.

## Example
```
A -> A : m
```

## Reference
A. Coto, *A choreographic approach to model-driven testing of message-passing systems*, section 2.1.2: interactions `A -> B : m` with `A` different from `B`.
",
};

/// `name` sends to itself.
pub(in crate::gchor) fn diagnostic(span: Span, name: &str, message: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("{} sends {} to itself", quoted(name), quoted(message)),
        span,
        "sender and receiver are the same participant",
    )
}

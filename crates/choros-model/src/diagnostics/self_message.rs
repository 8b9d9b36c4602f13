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
Choreographies describe what happens between roles; a message to itself would wait forever for the other end.

## Example
```
Request[b,b].<x>
```

## Reference
Nguyen's thesis, section 3.1: `o[a,b]` with `a` different from `b`.
What a role does unseen is `tau`.
In files of machines (`.fsa`) it is a warning: the machine has a queue to itself, and is judged with it.
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

/// A transition of a machine talks to the machine itself: strange, but its meaning is clear.
pub(crate) fn in_machine(span: Span, role: &str, sends: bool) -> Diagnostic {
    let (message, label) = if sends {
        (
            format!("`{role}` sends a message to itself"),
            "it goes into a queue that only the machine itself reads",
        )
    } else {
        (
            format!("`{role}` receives a message from itself"),
            "it comes from a queue that only the machine itself writes",
        )
    };
    let mut diagnostic = Diagnostic::new(&CODE, message, span, label);
    diagnostic.severity = Severity::Warning;
    diagnostic
}

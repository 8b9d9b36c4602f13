//! `once by` a field that the message does not have.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

use super::quoted;

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0155",
    name: "unknown-identity",
    severity: Severity::Error,
    documentation: "\
## What it checks
`once by` names fields of its message.

## Why it matters
The receiver knows a second copy of a message by these fields and drops it; a field that the message does not carry tells nothing.

## Example
```
order -> payment: Charge(id, amount) once by key
```
Repaired: `once by id`.

## Reference
P. Helland, *Idempotence Is Not a Medical Condition*, ACM Queue 10(4), 2012.
",
};

/// The field is none of those that the message has.
pub(crate) fn diagnostic(span: Span, name: &str, known: &[String]) -> Diagnostic {
    let finding = Diagnostic::new(
        &CODE,
        format!("the message has no field called {}", quoted(name)),
        span,
        "no field of this message",
    );
    match known {
        [] => finding.note("the message carries no named fields, so its copies cannot be told"),
        known => finding.note(format!("its fields are {}", known.join(", "))),
    }
}

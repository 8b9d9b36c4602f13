//! A message that is sent again and may have an effect again.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

use super::quoted;

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0157",
    name: "not-once",
    severity: Severity::Error,
    documentation: "\
## What it checks
The block of a `retry` begins with the message that is sent again: the role that measures sends it, and its receiver takes it `once by` a field.

## Why it matters
Who sends again does not know whether the first message arrived. A receiver that acts on every copy charges a card three times.

## Example
```
retry 3 times every 1s {
    order -> payment: Charge(id, amount)
    payment -> order: Charged(id)
}
```
Repaired: `order -> payment: Charge(id, amount) once by id`.

## Reference
P. Helland, *Idempotence Is Not a Medical Condition*, ACM Queue 10(4), 2012.
",
};

/// The first statement is no message that is taken once.
pub(crate) fn diagnostic(span: Span, role: &str) -> Diagnostic {
    let role = quoted(role);
    Diagnostic::new(
        &CODE,
        format!("what {role} sends again has to be taken once"),
        span,
        "not a message that its receiver takes once",
    )
    .note(format!(
        "a `retry` begins with a message of {role}, such as `… -> …: Charge(id) once by id`"
    ))
}

//! A message with different fields in different places.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

use super::quoted;

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0124",
    name: "different-fields",
    severity: Severity::Error,
    documentation: "\
## What it checks
A message (an operation between two roles) has the same fields everywhere: the same number, with the same names.

## Why it matters
Otherwise sender and receiver mean different messages, and the receiver waits forever.

## Example
```
buyer -> vendor: Order(item: Int, price: Int)
buyer -> vendor: Order(item: Int)      // where is the price?
```

## Reference
Nguyen's thesis has one datum per message; `docs/language.md` says how fields get their names.
",
};

/// `message` has the fields `here` at `span` and the fields `there` at `first`, both in words.
pub(crate) fn diagnostic(
    message: &str,
    (span, here): (Span, &str),
    (first, there): (Span, &str),
) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("the message {} has different fields here", quoted(message)),
        span,
        format!("{here} here"),
    )
    .label(first, format!("{there} here"))
    .note("a message has the same fields everywhere; give a different message a different name")
}

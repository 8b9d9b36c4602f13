//! A property that does not have the form of one.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1001",
    name: "property-syntax",
    severity: Severity::Error,
    documentation: "\
## What it checks
A property has a context, a window and a consequence, in this order.

## Why it matters
What is not understood is not judged; the other properties of the file are read.

## Example
```
property p on s {
  context Request[c,s]?(any)
  expect Response[s,c]!(any)      // `within 1 messages` is missing
}
```

## Reference
`property NAME on ROLE { context EVENT+ [with session|id|PATH] within N messages|s [per session] expect|never EVENT {or EVENT} }`; Definition 15 of Nguyen's thesis.
",
};

/// Something else was expected.
pub(crate) fn diagnostic(span: Span, expected: &str, found: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("expected {expected}, found {found}"),
        span,
        format!("expected {expected}"),
    )
}

//! An expression without a formula.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1119",
    name: "inexpressible",
    severity: Severity::Error,
    documentation: "\
## What it checks
An expression that decides something has a counterpart among the terms that a solver understands.

## Why it matters
It can be computed on given values, but not solved for unknown ones.

## Example
```
normalize-space($order/name) = 'Simpson'
```

## Reference
The README of `choros-xml` lists what is translated.
",
};

/// `what` cannot be written as a term.
pub(crate) fn diagnostic(what: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("{what} cannot be put to a solver"),
        span,
        "can be computed on values only",
    )
}

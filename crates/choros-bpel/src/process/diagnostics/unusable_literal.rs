//! A literal that does not fit where it is copied to.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1151",
    name: "unusable-literal",
    severity: Severity::Warning,
    documentation: "\
## What it checks
The literal of a copy is a value of the type that it is copied to.

## Why it matters
The engine would copy something that the schema forbids.
The value is taken to be unknown, and so are verdicts that depend on it.

## Example
```
<copy><from><literal>many</literal></from><to>$x/amount</to></copy>
```

## Reference
WS-BPEL 2.0, section 8.4.
",
};

/// `problem` says what does not fit.
pub(crate) fn diagnostic(problem: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("the literal does not fit: {problem}"),
        span,
        "is copied to a place of another type",
    )
}

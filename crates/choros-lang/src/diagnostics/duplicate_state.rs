//! A state that is listed twice.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

use super::quoted;

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0106",
    name: "duplicate-state",
    severity: Severity::Error,
    documentation: "\
## What it checks
No state of an `STG` component is listed twice.

## Why it matters
Most likely the second should be another state, which is now missing.

## Example
```
component shop STG
    0; 1; 1;
    0 -> 1 [label=\"Request[b,v]\"];
end component
```

## Reference
Nguyen's thesis, Listing A.2.
",
};

/// `name` at `span` was listed at `first` already.
pub(crate) fn diagnostic(span: Span, name: &str, first: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("the state {} is listed twice", quoted(name)),
        span,
        "listed again here",
    )
    .label(first, "listed here first")
}

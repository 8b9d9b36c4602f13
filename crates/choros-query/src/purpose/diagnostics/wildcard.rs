//! A wildcard with a guard or actions.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1201",
    name: "wildcard-with-condition",
    severity: Severity::Error,
    documentation: "\
## What it checks
`*` has neither a guard nor actions.

## Why it matters
It matches every other step of the model; a condition on it would be a condition on everything.

## Example
```
T0: [n < 3] *                 // put the guard on a transition `tau` of its own
```

## Reference
Definition 3.3.7 of Bentakouk, \"Symbolic Testing Approach of Composite Web Services\": `*` has no guard and no action.
",
};

/// Guard or actions on `*`.
pub(crate) fn diagnostic(span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        "`*` has neither a guard nor actions",
        span,
        "it matches everything else that the model does",
    )
    .note("put the condition on a transition `tau` of its own")
}

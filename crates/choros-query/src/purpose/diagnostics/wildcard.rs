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
It stands for whatever the model does that the purpose does not speak of; a condition on that would be one on everything.

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
        "it stands for everything else that the model does",
    )
    .note("put the condition on a transition `tau` of its own")
}

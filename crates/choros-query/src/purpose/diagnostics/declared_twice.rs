//! Something that is said twice.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1202",
    name: "purpose-declared-twice",
    severity: Severity::Error,
    documentation: "\
## What it checks
A purpose has one name and one initial state, declares each variable once, and an operation has one contract.

## Why it matters
Which of two declarations counts would be a guess.

## Example
```
initial T0
initial T1
```

## Reference
Our text form of Definition 3.3.7 of Bentakouk, \"Symbolic Testing Approach of Composite Web Services\".
",
};

/// `what` was declared before.
pub(crate) fn diagnostic(what: &str, span: Span, before: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("{what} is declared twice"),
        span,
        "the second declaration",
    )
    .label(before, "the first one")
}

//! Two properties of one name.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1005",
    name: "duplicate-property",
    severity: Severity::Error,
    documentation: "\
## What it checks
Every property of a run has a name of its own.

## Why it matters
Verdicts and global properties refer to properties by name.

## Example
```
property p on s { … }
property p on a { … }
```

## Reference
Global and local properties share their names.
",
};

/// The second of two.
pub(crate) fn diagnostic(span: Span, name: &str, first: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("there are two properties called `{name}`"),
        span,
        "the second one",
    )
    .label(first, "the first one")
}

//! Something that a file says twice.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0209",
    name: "declared-twice",
    severity: Severity::Error,
    documentation: "\
## What it checks
A name, a label or the initial node is declared once in a file, and a sort in the same way in all files that are read together.

## Why it matters
Of two declarations one would win silently.

## Example
```
variables x: Int
variables x: String
```

## Reference
The first declaration is the one that is used.
",
};

/// `what` is declared at `span` and was at `before`.
pub(crate) fn diagnostic(what: &str, span: Span, before: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("{what} is declared twice"),
        span,
        "declared again here",
    )
    .label(before, "declared first here")
}

/// The sort `name` is known in another way, from another file.
pub(crate) fn differently(name: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("the sort `{name}` is known already, and differs"),
        span,
        "declared differently here",
    )
}

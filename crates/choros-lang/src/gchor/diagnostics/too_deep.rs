//! A choreography that nests too deeply.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0805",
    name: "nested-too-deeply-in-gc",
    severity: Severity::Error,
    documentation: "\
## What it checks
Braces, parentheses and loops nest a limited number of times.

## Why it matters
The tools walk the tree; a deeply nested file must not crash them.

## Example
```
{{{{{{{{ … }}}}}}}}
```

## Reference
Our own limit.
",
};

/// The limit is reached at `span`.
pub(in crate::gchor) fn diagnostic(span: Span, limit: u32) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("more than {limit} levels of braces"),
        span,
        "what is inside is left out",
    )
}

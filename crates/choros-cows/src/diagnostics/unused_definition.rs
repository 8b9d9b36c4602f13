//! A definition that nothing calls.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0615",
    name: "unused-definition",
    severity: Severity::Warning,
    documentation: "\
## What it checks
Every definition is called from the term after `in`, directly or through others.

## Why it matters
What is never called is not part of the model; it may be the part that was meant.

## Example
```
let A = p.o!<>  B = q.r!<> in A() end      -- B is never called
```

## Reference
Mistakes inside definitions that nothing calls are not found.
",
};

/// Nothing leads to it.
pub(crate) fn diagnostic(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("`{name}` is never called"),
        span,
        "no part of the model",
    )
}

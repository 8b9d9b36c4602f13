//! A delimitation of something that does not occur.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0616",
    name: "unused-delimitation",
    severity: Severity::Warning,
    documentation: "\
## What it checks
A delimited name occurs in the term after it.

## Why it matters
A delimitation without use changes nothing; a misspelt name would look just like this.

## Example
```
[id#] p.o!<ident>      -- `ident` is global
```

## Reference
Structural congruence: `[e] s` and `s` are the same when `e` is not free in `s`.
",
};

/// It does not occur.
pub(crate) fn diagnostic(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("`{name}` is delimited and does not occur"),
        span,
        "without effect",
    )
}

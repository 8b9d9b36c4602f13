//! Two definitions or parameters of one name.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0612",
    name: "defined-twice",
    severity: Severity::Error,
    documentation: "\
## What it checks
Definitions have different names, and so have the parameters of one definition.

## Why it matters
It would be unclear which one is meant.

## Example
```
let A = p.o!<> A = q.r!<> in A() end
```

## Reference
A delimitation may reuse the name of a parameter or of an outer delimitation: the innermost one counts.
",
};

/// The name is taken.
pub(crate) fn diagnostic(first: Span, again: Span, name: &str, what: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("there are two {what} called `{name}`"),
        again,
        "again here",
    )
    .label(first, "first here")
}

//! A variable whose sort nobody said.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

use super::quoted;

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0135",
    name: "missing-sort",
    severity: Severity::Error,
    documentation: "\
## What it checks
A variable that is bound for the first time has its sort behind it; `new x` may leave it out when `x` was bound before.

## Why it matters
The sort is the type of the data in the message, and sender and receiver must agree on it.

## Example
```
buyer -> vendor: Request(new x)      // write `x: Int`
```

## Reference
`docs/language.md`.
",
};

/// The variable `name` at `span` has never been given a sort.
pub(crate) fn diagnostic(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("nothing says which sort {} has", quoted(name)),
        span,
        "bound for the first time",
    )
    .suggest("say its sort", span.after(), ": Int")
}

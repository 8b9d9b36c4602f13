//! A variable whose sort no one said.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

use super::quoted;

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0135",
    name: "missing-sort",
    severity: Severity::Error,
    documentation: "\
## What it checks
A variable has its type (sort) after it where it is bound for the first time; `new x` may omit it if `x` was bound before.

## Why it matters
Sender and receiver must agree on the type of the data in a message.

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
        format!("the type of {} is missing", quoted(name)),
        span,
        "bound for the first time",
    )
    .suggest("add its type", span.after(), ": Int")
}

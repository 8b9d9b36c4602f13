//! A variable that has a value already is bound again.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

use super::quoted;

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0123",
    name: "bound-already",
    severity: Severity::Error,
    documentation: "\
## What it checks
In a message, `x: Int` binds a variable that has no value yet; use `new x` to bind one that may already have a value.

## Why it matters
The old value is lost.
In loops this is often intended, elsewhere hardly ever, so it must be explicit.

## Example
```
buyer -> vendor: Request(x: Int)
vendor -> bank: Charge(x: Int)      // a new value, or the one of the request?
```

## Reference
`docs/language.md`.
",
};

/// The variable `name` may have the value that it got at `first`.
pub(crate) fn diagnostic(span: Span, name: &str, first: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("the variable {} has a value already", quoted(name)),
        span,
        "bound again",
    )
    .label(first, "bound here first")
    .note(format!(
        "to send the value that it has, write {} without a sort",
        quoted(name)
    ))
    .suggest(
        "to forget that value and bind a new one, write",
        span,
        format!("new {name}"),
    )
}

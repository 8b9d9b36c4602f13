//! Two parallel branches that write one variable.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

use super::quoted;

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0127",
    name: "parallel-writes",
    severity: Severity::Error,
    documentation: "\
## What it checks
No variable gets a value in two branches of a `par`.

## Why it matters
Which value it has afterwards would depend on which branch was faster.

## Example
```
par { a -> b: Left(x: Int) } and { a -> c: Right(x: Int) }
```

## Reference
`docs/language.md`.
",
};

/// The variable `name` is written at `first` and, in another branch, at `second`.
pub(crate) fn diagnostic(name: &str, first: Span, second: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("two parallel branches write {}", quoted(name)),
        second,
        "and here, in another branch",
    )
    .label(first, "written here")
    .note("use two variables: which value would count depends on which branch is faster")
}

//! A call with too few or too many arguments.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0007",
    name: "argument-count",
    severity: Severity::Error,
    documentation: "\
## What it checks
A function is called with as many arguments as it takes.

## Why it matters
The extra arguments would have no meaning, and missing ones no value.

## Example
```
[prefix(name) ] |> Confirm[v,b]      // of what?
```

## Reference
`length` takes one argument, `prefix` and `contains` take two, `concat` takes one or more.
",
};

/// The number does not fit.
pub(crate) fn diagnostic(span: Span, name: &str, expected: &str, found: usize) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("`{name}` takes {expected}, not {found}"),
        span,
        "called here",
    )
}

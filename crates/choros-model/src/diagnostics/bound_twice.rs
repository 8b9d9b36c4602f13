//! A message that binds one variable twice.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0205",
    name: "bound-twice",
    severity: Severity::Warning,
    documentation: "\
## What it checks
The fields that one message binds are bound to different variables.

## Why it matters
The variable holds the last of the values; the others are lost.

## Example
```
Response[s,c]?(price = <x>, fee = <x>)
```

## Reference
Fields are taken in the order in which they are written.
",
};

/// The field at `span` binds `variable` again.
pub(crate) fn diagnostic(span: Span, variable: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("this message binds `{variable}` twice"),
        span,
        "the value bound before is lost",
    )
}

//! A definition that calls itself.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0611",
    name: "recursive-definition",
    severity: Severity::Error,
    documentation: "\
## What it checks
No definition calls itself, directly or through others.

## Why it matters
A call is replaced with the text of the definition, so this would never end; write `*` for something that repeats.

## Example
```
let Server = p.o?<>.Server() in Server() end      -- write: *p.o?<>.nil
```

## Reference
Fantechi et al., section 4: `I = s` only names a term; repetition is replication.
",
};

/// A circle of calls.
pub(crate) fn diagnostic(span: Span, circle: &[&str]) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("a definition calls itself: {}", circle.join(" → ")),
        span,
        "this call closes the circle",
    )
    .note("use the replication `*` for what is to happen again")
}

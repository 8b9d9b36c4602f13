//! A file without a choreography.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0804",
    name: "empty-gc",
    severity: Severity::Error,
    documentation: "\
## What it checks
A `.gc` file describes something, if only `(o)`.

## Why it matters
An empty file is more likely a mistake than a choreography in which nothing happens, which is written `(o)`.

## Example
```
.. to be written
```

## Reference
E. Tuosto's ChorGram.
",
};

/// There is nothing but white space and comments.
pub(in crate::gchor) fn diagnostic(span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        "there is no choreography in this file",
        span,
        "expected an interaction such as `A -> B : m`",
    )
    .note("a choreography in which nothing happens is written `(o)`")
}

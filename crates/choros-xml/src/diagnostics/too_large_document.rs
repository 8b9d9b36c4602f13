//! A document beyond the limits.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1102",
    name: "document-too-large",
    severity: Severity::Error,
    documentation: "\
## What it checks
A document has at most 64 MiB of text, 4,194,304 nodes, and 256 elements inside each other.

## Why it matters
A tree in memory is many times larger than its text; a limit keeps one file from needing all memory.

## Example
```
a log of messages, 100 MB long, given as a schema
```

## Reference
The limits are those of this reader; XML itself has none.
",
};

/// `limit` says which of them, in words.
pub(crate) fn diagnostic(path: &str, span: Span, limit: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("`{path}` is too large"),
        span,
        limit.to_owned(),
    )
}

/// A type at `span` has too many parts.
pub(crate) fn of_type(span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        "a type is too large",
        span,
        "types are nested more than 64 deep, or 20,000 types or 100,000 groups are needed",
    )
}

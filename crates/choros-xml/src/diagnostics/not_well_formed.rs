//! A text that is not XML.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1100",
    name: "not-well-formed",
    severity: Severity::Error,
    documentation: "\
## What it checks
A document is well-formed XML: one outermost element, tags that match, attributes in quotes, prefixes that are bound.

## Why it matters
A document that is not well-formed cannot be analysed.

## Example
```
<definitions><types></definitions>
```

## Reference
Extensible Markup Language (XML) 1.0, section 2.1.
",
};

/// The parser stopped at `span`.
pub(crate) fn diagnostic(path: &str, span: Span, message: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("`{path}` is not well-formed XML"),
        span,
        message,
    )
}

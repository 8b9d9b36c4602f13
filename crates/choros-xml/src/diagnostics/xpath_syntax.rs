//! A text that is not an XPath expression.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1115",
    name: "xpath-syntax",
    severity: Severity::Error,
    documentation: "\
## What it checks
Expressions are XPath 1.0: paths, comparisons, arithmetic, `and` and `or`, calls of functions.

## Why it matters
A condition that cannot be read decides nothing.

## Example
```
$order/total > (10
```

## Reference
XML Path Language (XPath) 1.0, section 3.
",
};

/// `expected` is missing at `span`, where `found` stands.
pub(crate) fn diagnostic(expected: &str, found: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("expected {expected}, found {found}"),
        span,
        format!("expected {expected}"),
    )
}

/// A sentence of its own.
pub(crate) fn because(message: impl Into<String>, span: Span) -> Diagnostic {
    Diagnostic::new(&CODE, message, span, "")
}

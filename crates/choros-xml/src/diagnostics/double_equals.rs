//! `==` in XPath.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1122",
    name: "double-equals",
    severity: Severity::Warning,
    documentation: "\
## What it checks
Equality is written `=` in XPath.

## Why it matters
It was read as `=`; engines will refuse it.

## Example
```
$approved == true()
```

## Reference
XML Path Language (XPath) 1.0, section 3.4.
",
};

/// `==` stands at `span`.
pub(crate) fn diagnostic(span: Span) -> Diagnostic {
    Diagnostic::new(&CODE, "`==` is not XPath", span, "read as `=`").suggest(
        "equality is written with one sign",
        span,
        "=",
    )
}

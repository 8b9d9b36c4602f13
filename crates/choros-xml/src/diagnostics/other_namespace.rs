//! A step in another namespace than its element.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1120",
    name: "other-namespace",
    severity: Severity::Warning,
    documentation: "\
## What it checks
The namespace of a step is that of the element in the schema; a step without a prefix is in no namespace, whatever the default namespace is.

## Why it matters
An engine of XPath 1.0 would select nothing here.
The step is read as the element of that name, because it is the only one.

## Example
```
$order/total    <!-- where the schema says elementFormDefault='qualified' -->
```

## Reference
XML Path Language (XPath) 1.0, section 2.3.
",
};

/// The step `step` was taken for `meant`.
pub(crate) fn diagnostic(step: &str, meant: &crate::names::QName, span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("the step `{step}` is not in the namespace of `{meant}`"),
        span,
        "read as the element of that name",
    )
    .note("an engine of XPath 1.0 would select nothing here")
}

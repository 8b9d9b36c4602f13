//! An element that is not as its language wants it.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

/// Its code and documentation.
pub static CODE: CodeInfo = CodeInfo {
    code: "CH1107",
    name: "misplaced-element",
    severity: Severity::Error,
    documentation: "\
## What it checks
Elements of WSDL, XML Schema and SOAP have the attributes and the children that their language asks for.

## Why it matters
An element without its name, or with a meaningless value, cannot be used.

## Example
```
<message><part element='t:order'/></message>
```

## Reference
WSDL 1.1, section 2; XML Schema Part 1, section 3.
",
};

/// `message` says what is wrong with the element at `span`.
pub fn diagnostic(message: impl Into<String>, span: Span) -> Diagnostic {
    Diagnostic::new(&CODE, message, span, "")
}

/// An attribute is missing.
pub fn lacking(element: &str, attribute: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("`{element}` has no attribute `{attribute}`"),
        span,
        format!("`{attribute}` is missing"),
    )
}

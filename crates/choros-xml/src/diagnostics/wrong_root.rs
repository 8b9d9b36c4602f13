//! A document of another kind.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

/// Its code and documentation.
pub static CODE: CodeInfo = CodeInfo {
    code: "CH1112",
    name: "wrong-root",
    severity: Severity::Error,
    documentation: "\
## What it checks
The outermost element of a document is the one that its reader expects: `wsdl:definitions`, `xs:schema`, `soap:Envelope`.

## Why it matters
Most often a location names the wrong file.

## Example
```
<import location='bank.xsd'/>  <!-- where bank.wsdl was meant -->
```

## Reference
WSDL 1.1, section 2; XML Schema Part 1, section 3.15; SOAP 1.1, section 4.
",
};

/// `found` stands where `expected` should.
pub fn diagnostic(expected: &str, found: &crate::names::QName, span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("the document is a `{found}`, not {expected}"),
        span,
        format!("{expected} is expected"),
    )
}

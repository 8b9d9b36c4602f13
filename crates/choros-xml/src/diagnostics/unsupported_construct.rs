//! Something that is understood and not supported.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

/// Its code and documentation.
pub static CODE: CodeInfo = CodeInfo {
    code: "CH1106",
    name: "unsupported-construct",
    severity: Severity::Warning,
    documentation: "\
## What it checks
What a document says has a counterpart in sorts, values and formulas.

## Why it matters
The rest of the document is read, but what was left out is not checked, not generated, and not sent.

## Example
```
<xs:simpleType name='Sizes'><xs:list itemType='xs:int'/></xs:simpleType>
```

## Reference
The README of `choros-xml` lists what is supported.
",
};

/// `what` is left out; `instead` says what is done.
pub fn diagnostic(what: &str, instead: &str, span: Span) -> Diagnostic {
    Diagnostic::new(&CODE, format!("{what} is not supported"), span, instead)
}

//! A reference that leads nowhere.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1162",
    name: "broken-reference",
    severity: Severity::Warning,
    documentation: "\
## What it checks
Every `$ref` that an operation needs leads to a value: in the description, or in a file next to it.

## Why it matters
What the reference stands for is missing in the messages that use it.

## Example
```
schema:
  $ref: '#/components/schemas/Ordr'    # the schema is called Order
```

## Reference
OpenAPI Specification 3.1.1, section *Reference Object*; RFC 6901.
",
};

pub(crate) fn diagnostic(span: Span, reference: &str, reason: &str) -> Diagnostic {
    let message = format!("the reference `{reference}` leads nowhere");
    Diagnostic::new(&CODE, message, span, reason)
}

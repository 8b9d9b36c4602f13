//! A description that is neither YAML nor JSON.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1160",
    name: "unreadable-description",
    severity: Severity::Error,
    documentation: "\
## What it checks
A description of an API, and every file that it refers to, is a YAML or JSON document of reasonable size and depth.

## Why it matters
What cannot be read cannot be imported, and half a description would give half a model.

## Example
```
openapi: 3.1.0
paths:
  /orders: [          # the list is not closed
```

## Reference
YAML 1.2.2, RFC 8259.
",
};

pub(crate) fn diagnostic(span: Span, reason: &str) -> Diagnostic {
    Diagnostic::new(&CODE, "the description cannot be read", span, reason)
}

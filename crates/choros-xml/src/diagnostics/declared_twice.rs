//! Two declarations of one name.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

/// Its code and documentation.
pub static CODE: CodeInfo = CodeInfo {
    code: "CH1110",
    name: "declared-twice",
    severity: Severity::Error,
    documentation: "\
## What it checks
A name is declared once among the types, elements, messages, port types, bindings or services of all documents read.

## Why it matters
It would be unclear which one is meant.

## Example
```
<message name='order'/> <message name='order'/>
```

## Reference
WSDL 1.1, section 2.1.1; XML Schema Part 1, section 3.15.2; WS-BPEL 2.0, sections 5.4 and 8.1 ([SA00014], [SA00023]).
",
};

/// `what` of this name is declared again at `again`.
pub fn diagnostic(what: &str, name: &str, first: Span, again: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("the {what} `{name}` is declared twice"),
        again,
        "again here",
    )
    .label(first, "first here")
}

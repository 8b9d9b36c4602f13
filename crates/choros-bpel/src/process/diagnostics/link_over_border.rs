//! A link that crosses the border of a loop or handler.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1152",
    name: "link-over-border",
    severity: Severity::Error,
    documentation: "\
## What it checks
A link that is declared outside a loop, an event handler or a compensation handler has neither of its ends inside.

## Why it matters
It would have a status per round, and its other end only one.

## Example
```
<flow><links><link name='a'/></links><while>… <source linkName='a'/> …</while></flow>
```

## Reference
WS-BPEL 2.0, section 11.6.1 ([SA00070]).
",
};

/// The link is used inside a border that it is declared outside of.
pub(crate) fn diagnostic(name: &str, declared: Span, span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("the link `{name}` crosses the border of a loop or handler"),
        span,
        "inside",
    )
    .label(declared, "declared outside")
}

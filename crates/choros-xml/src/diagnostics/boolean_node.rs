//! A boolean element where XPath asks whether it is there.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1121",
    name: "boolean-node",
    severity: Severity::Warning,
    documentation: "\
## What it checks
The value of an element of type boolean is compared with a string (`= 'true'`).

## Why it matters
Where XPath 1.0 wants a truth value it asks whether the element is there, not what it holds: `$a/paid = true()` would be true of `<paid>false</paid>`.
Here the value is taken, which is what is meant almost always, but engines may do otherwise.

## Example
```
$order/paid = true()
```

## Reference
XML Path Language (XPath) 1.0, sections 3.4 and 4.3.
",
};

/// A node of sort Bool stands at `span`.
pub(crate) fn diagnostic(span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        "an engine of XPath 1.0 would ask whether this element is there, not what it holds",
        span,
        "its value was taken",
    )
    .note("write `= 'true'`, which means the same everywhere")
}

//! Two components of one name.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

use super::quoted;

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0102",
    name: "duplicate-component",
    severity: Severity::Error,
    documentation: "\
## What it checks
No two components of a script have the same name.

## Why it matters
Commands and compositions refer to components by name: it would be unclear which of the two is meant.

## Example
```
component buyer chorD Request[b,v]! end component
component buyer chorD Abort[v,b]?   end component
```

## Reference
Nguyen's thesis, Appendix A.1.
",
};

/// `name` at `span` was declared at `first` already.
pub(crate) fn diagnostic(span: Span, name: &str, first: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("the component {} is declared twice", quoted(name)),
        span,
        "declared again here",
    )
    .label(first, "declared here first")
}

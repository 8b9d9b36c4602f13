//! A composition that contains itself.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

use super::quoted;

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0104",
    name: "composition-cycle",
    severity: Severity::Error,
    documentation: "\
## What it checks
No composition is a part of itself, neither at once nor through other compositions.

## Why it matters
A composition consists of its parts and the parts of its parts; one that contains itself would have infinitely many.

## Example
```
component services chorD buyer || services end component
```

## Reference
Compositions are products of graphs (Nguyen's thesis, section 3.2.3), which are finite.
",
};

/// The composition `name` contains itself: through the part at `span`.
pub(crate) fn diagnostic(span: Span, name: &str, declared: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("the composition {} contains itself", quoted(name)),
        span,
        "this part leads back to it",
    )
    .label(declared, "declared here")
}

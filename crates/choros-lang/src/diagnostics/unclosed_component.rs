//! A component without its end.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

use super::quoted;

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0103",
    name: "unclosed-component",
    severity: Severity::Error,
    documentation: "\
## What it checks
Every `component` is closed by `end component` before the next one begins, before `COMMANDS`, and before the text ends.

## Why it matters
Without it, the end of the component is unknown.
It is read up to the next component, so that other mistakes are found in the same run.

## Example
```
component buyer chorD
    Request[b,v]!
component vendor chorD      // the buyer has not ended
    Request[b,v]?
end component
```

## Reference
Nguyen's thesis, Listing A.2.
",
};

/// The component `name`, which begins at `start`, has not ended at `next`.
pub(crate) fn diagnostic(start: Span, name: &str, next: Span) -> Diagnostic {
    let before = Span::new(next.file(), next.start().offset, next.start().offset);
    Diagnostic::new(
        &CODE,
        format!("the component {} has no `end component`", quoted(name)),
        start,
        "begins here",
    )
    .label(next, "`end component` is missing before this")
    .suggest("close the component", before, "end component\n")
}

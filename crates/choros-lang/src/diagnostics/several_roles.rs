//! A service that plays two roles.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

use super::quoted;

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0111",
    name: "several-roles",
    severity: Severity::Warning,
    documentation: "\
## What it checks
All sends and receives of a component are by the same role.

## Why it matters
A component with sends and receives describes one participant: it sends as itself and receives for itself.
Most often one of the two roles of a message is written in the wrong place.

## Example
```
component buyer chorD
    Request[b,v]!<x> ; Confirm[b,v]?      // v receives here; `Confirm[v,b]?` was meant
end component
```

## Reference
Nguyen's thesis, section 3.1.1: the description of an entity `a` uses only sends from `a` and receives by `a`.
",
};

/// The component plays `first` at one place and `other` at another.
pub(crate) fn diagnostic(component: &str, first: (&str, Span), other: (&str, Span)) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!(
            "the component {} plays {} and {}",
            quoted(component),
            quoted(first.0),
            quoted(other.0)
        ),
        other.1,
        format!("{} acts here", quoted(other.0)),
    )
    .label(first.1, format!("{} acts here", quoted(first.0)))
    .note("`o[a,b]!` is done by `a`, and `o[a,b]?` is done by `b`")
}

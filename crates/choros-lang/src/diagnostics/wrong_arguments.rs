//! A `do` that does not fit.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

use super::quoted;

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0131",
    name: "wrong-arguments",
    severity: Severity::Error,
    documentation: "\
## What it checks
`do` gives a choreography as many roles and values as it declares, and no role twice.

## Why it matters
With a role missing, nobody would play it; with one role twice, it would talk to itself.

## Example
```
choreography Pay[vendor, bank](sum: Int) { vendor -> bank: Charge(sum) }
choreography Shop[v, b] { do Pay[v, b] }      // the sum is missing
```

## Reference
`docs/language.md`.
",
};

/// The choreography `name`, declared at `declared`, has other numbers of roles or parameters.
pub(crate) fn count(
    span: Span,
    name: &str,
    what: &str,
    (given, wanted): (usize, usize),
    declared: Span,
) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!(
            "{} has {wanted} {what}, but {given} are given",
            quoted(name)
        ),
        span,
        format!("gives {given} {what}"),
    )
    .label(declared, format!("has {wanted} {what}"))
}

/// The role `role` is given twice.
pub(crate) fn twice(span: Span, role: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("{} cannot play two roles at once", quoted(role)),
        span,
        "given a second time",
    )
}

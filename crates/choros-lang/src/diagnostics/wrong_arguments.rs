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
A missing role would be played by no one; a role given twice would talk to itself.

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
    let counted = |number: usize| match number {
        0 => format!("no {what}s"),
        1 => format!("one {what}"),
        _ => format!("{number} {what}s"),
    };
    Diagnostic::new(
        &CODE,
        format!(
            "{} has {}, and {} given",
            quoted(name),
            counted(wanted),
            match given {
                0 => "none is".to_owned(),
                1 => "one is".to_owned(),
                _ => format!("{given} are"),
            }
        ),
        span,
        format!("gives {}", counted(given)),
    )
    .label(declared, format!("has {}", counted(wanted)))
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

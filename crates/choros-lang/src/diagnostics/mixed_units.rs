//! Durations with and without units in one file.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0152",
    name: "mixed-units",
    severity: Severity::Error,
    documentation: "\
## What it checks
Either all durations of a file have units (`ms`, `s`, `min`, `h`), or none has.

## Why it matters
`wait 3` counts in a unit that the model leaves open, so no one knows whether it is longer than `1s`.

## Example
```
wait 3          // three what?
wait 500ms
```

## Reference
`docs/language.md`, time.
",
};

/// The duration at `without` has no unit, and the one at `with` has.
pub(crate) fn diagnostic(without: Span, with: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        "some durations have units and others have none",
        without,
        "has no unit",
    )
    .label(with, "has one")
    .note("write all of them with units: `3s`, `500ms`, `2min`, `1h`")
}

//! A loop, whose pomsets have no end.

use choros_base::{CodeInfo, Diagnostic, Severity};

/// The code.
pub static CODE: CodeInfo = CodeInfo {
    code: "CH0950",
    name: "endless-pomsets",
    severity: Severity::Error,
    documentation: "\
## What it checks
`choros explore --pomsets` is given a g-choreography without loops, or told how often loops go round.

## Why it matters
A loop has a pomset for every number of rounds.
`--unfold N` looks at up to N of them and keeps every decision to leave.

## Example
```
choros explore smtp.gc --pomsets --unfold 2
```

## Reference
`choros fmt --unfold N` writes a loop out, exactly N times, for editing.
",
};

/// The g-choreography repeats something.
pub fn diagnostic(path: &str) -> Diagnostic {
    Diagnostic::without_place(
        &CODE,
        format!("`{path}` repeats something, so its pomsets have no end"),
    )
    .note("`--unfold 2` looks at loops that go round twice, once or not at all")
}

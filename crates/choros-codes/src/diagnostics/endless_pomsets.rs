//! A loop, whose pomsets have no end.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0950",
    name: "endless-pomsets",
    severity: Severity::Error,
    documentation: "\
## What it checks
`choros explore --pomsets` is given a g-choreography without loops, or a limit for loops.

## Why it matters
A loop has a pomset for every number of rounds.
`--unfold N` considers up to N rounds and keeps every decision to leave.

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
        format!("`{path}` has a loop, so it has infinitely many pomsets"),
    )
    .note("`--unfold 2` considers loops that run twice, once or not at all")
}

//! A model that is larger than the bound.

use choros_base::{CodeInfo, Diagnostic, Severity, StopReason};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0906",
    name: "state-bound",
    severity: Severity::Information,
    documentation: "\
## What it checks
A component has no more states than `--max-states` allows.

## Why it matters
Parallel parts multiply: ten of ten steps each have ten billion states. Nothing beyond the bound was explored, so nothing is known about it.

## Example
```
choros explore huge.schora --max-states 1000
```

## Reference
`--max-states` raises the bound; the default is a million.
",
};

/// A graph of states was cut.
pub fn cut(path: &str, reason: &str) -> Diagnostic {
    Diagnostic::without_place(&CODE, format!("`{path}` is not complete: {reason}"))
        .note("`--max-states` raises the bound of states")
}

/// A graph of states was cut, and is not made smaller.
pub fn unminimized(path: &str, reason: &str) -> Diagnostic {
    Diagnostic::without_place(
        &CODE,
        format!("`{path}` is not complete, so its states were not compared: {reason}"),
    )
}

/// The component was cut.
pub fn diagnostic(component: &str, reason: StopReason) -> Diagnostic {
    let diagnostic =
        Diagnostic::without_place(&CODE, format!("`{component}` was not built: {reason}"));
    match reason {
        StopReason::Steps(_) => diagnostic.note("`--max-states` raises the bound"),
        StopReason::Cancelled => diagnostic,
    }
}

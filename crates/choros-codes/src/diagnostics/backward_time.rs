//! A log whose times go backwards.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0975",
    name: "backward-time",
    severity: Severity::Warning,
    documentation: "\
## What it checks
The observations of one log are in the order of their times.

## Why it matters
The order of lines is what is judged; times that contradict it mean that the log was put together from several, or that a clock was set.

## Example
```
{\"at\":20,…}
{\"at\":10,…}
```

## Reference
Lines count, times do not, unless `--order time` is asked for.
",
};

/// The first such observation is on this line.
pub fn diagnostic(path: &str, line: u64, count: usize) -> Diagnostic {
    let diagnostic = Diagnostic::without_place(
        &CODE,
        format!("`{path}` line {line}: the observation is older than the one before it"),
    );
    match count {
        1 => diagnostic,
        count => diagnostic.note(format!("{count} observations of this log are")),
    }
}

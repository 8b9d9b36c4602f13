//! States that may have been counted twice.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0941",
    name: "symmetric-states",
    severity: Severity::Warning,
    documentation: "\
## What it checks
Every term was brought into its canonical form within a bound on the number of tries.

## Why it matters
Terms in which many private names are connected in the same way in all directions have many forms that look alike, and finding the least one can take very long.
Beyond the bound any form is used: verdicts stay right, because different states are never merged, but one state may be counted twice.

## Example
```
[a#][b#][c#]( … every pair of them in a term of its own … )
```

## Reference
The documentation of `choros-cows` describes the form.
",
};

/// The search was cut.
pub fn diagnostic(path: &str) -> Diagnostic {
    Diagnostic::without_place(
        &CODE,
        format!(
            "`{path}` has states too symmetric to compare in reasonable time; some may be counted twice"
        ),
    )
}

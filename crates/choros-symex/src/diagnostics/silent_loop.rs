//! A loop in which nothing happens that counts.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH1212",
    name: "silent-loop",
    severity: Severity::Warning,
    documentation: "\
## What it checks
Paths of a symbolic execution tree do not go through long runs of silent steps.

## Why it matters
The depth of a tree counts everything but silent steps, so a loop of assignments alone would be followed forever.
It is cut off, and nothing after that point is tested.

## Example
```
1 -> 1: tau / n := n + 1
```

## Reference
Bentakouk, \"Symbolic Testing Approach of Composite Web Services\", section 3.4.1, does not count silent steps.
",
};

/// Some path has more silent steps in a row than are followed.
pub fn diagnostic(model: &str, bound: u32) -> Diagnostic {
    Diagnostic::without_place(
        &CODE,
        format!("some paths of `{model}` have more than {bound} silent steps in a row and were cut there"),
    )
    .note("a loop of assignments that nothing ends is the usual reason")
}

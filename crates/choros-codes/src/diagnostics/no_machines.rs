//! A model without machines, where machines are needed.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0955",
    name: "no-machines",
    severity: Severity::Error,
    documentation: "\
## What it checks
Tests, compliance and mutation are asked of models with machines: `.gc` and `.fsa` files.

## Why it matters
These analyses treat every participant as a finite machine that sends and receives messages without data.
A choreography with data has no such machines.

## Example
```
choros tests shop.chor
```

## Reference
Coto's thesis, chapter 3: tests are made from the projections of a g-choreography.
",
};

/// The file holds something else.
pub fn diagnostic(path: &str, what: &str) -> Diagnostic {
    Diagnostic::without_place(
        &CODE,
        format!("`{path}` is a {what}, and machines are needed: a `.gc` or `.fsa` file"),
    )
}

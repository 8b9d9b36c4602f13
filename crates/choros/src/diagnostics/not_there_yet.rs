//! A command of SChorA that Choros does not answer yet.

use choros_base::{CodeInfo, Severity};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0905",
    name: "not-there-yet",
    severity: Severity::Error,
    documentation: "\
## What it checks
The command is one that this version answers.

## Why it matters
A command that was skipped in silence would look as if it had been answered.

## Example
```
showRealizableSTG shop SYNC
```

## Reference
`docs/coverage.md` says which parts are here and which are to come.
",
};

/// One line for a report.
pub(crate) fn message(command: &str) -> String {
    format!("`{command}` is not there yet")
}

//! Two logs of one role.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0972",
    name: "role-logged-twice",
    severity: Severity::Error,
    documentation: "\
## What it checks
Each role has one log.

## Why it matters
In which order two logs of one service were written cannot be known, and the order is what is judged.

## Example
```
choros audit order.pact --log 1=monday.jsonl --log 1=tuesday.jsonl
```

## Reference
Logs that follow each other are put into one file, the older one first.
",
};

/// The role has a log already.
pub(crate) fn diagnostic(role: &str, path: &str) -> Diagnostic {
    Diagnostic::without_place(&CODE, format!("`{path}` is a second log of `{role}`"))
        .note("put logs that follow each other into one file, the older one first")
}

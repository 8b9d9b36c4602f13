//! A saved state that does not belong to this run.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0965",
    name: "unusable-state",
    severity: Severity::Error,
    documentation: "\
## What it checks
A state that is given with `--state` was saved by a run over the same properties, and its logs and its file of verdicts are at least as long as they were.

## Why it matters
Continuing from another state would lose verdicts, or give some twice.

## Example
```
choros monitor changed.prop --log s=s.jsonl --state old.state
```

## Reference
`docs/schema/monitor-state.schema.json`; remove the file to start over.
",
};

/// Why the state is of no use.
pub fn diagnostic(path: &str, reason: &str) -> Diagnostic {
    let message = format!("cannot continue from the state `{path}`: {reason}");
    Diagnostic::without_place(&CODE, message).note("remove it to start over")
}

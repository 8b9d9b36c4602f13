//! A log that cannot be read, or not to its end.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0964",
    name: "unreadable-log",
    severity: Severity::Error,
    documentation: "\
## What it checks
Every log that is named can be opened and read to its end.

## Why it matters
What was not read was not judged. The other logs are still read.

## Example
```
choros monitor p.prop --log s=missing.jsonl
```

## Reference
The form of a log is known by its extension; `--log-format` says it otherwise.
",
};

/// The world's words.
pub fn diagnostic(log: &str, reason: &str) -> Diagnostic {
    Diagnostic::without_place(&CODE, format!("cannot read the log `{log}`: {reason}"))
}

//! A mapping file that cannot be used.

use choros_base::{CodeInfo, Diagnostic, Severity};

/// The code.
pub static CODE: CodeInfo = CodeInfo {
    code: "CH0974",
    name: "strange-mapping",
    severity: Severity::Error,
    documentation: "\
## What it checks
The file after `--mapping` can be read and says which paths are what.

## Why it matters
With a wrong mapping, all observations of a log are wrong.

## Example
```
choros audit order.pact --log 1=foreign.jsonl --mapping missing.map
```

## Reference
The book describes the form of mapping files.
",
};

/// The file cannot be used, for this reason.
pub fn diagnostic(path: &str, reason: &str) -> Diagnostic {
    Diagnostic::without_place(
        &CODE,
        format!("the mapping `{path}` cannot be used: {reason}"),
    )
}

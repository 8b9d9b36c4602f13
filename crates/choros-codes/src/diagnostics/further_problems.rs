//! More problems than are shown.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0967",
    name: "further-problems",
    severity: Severity::Warning,
    documentation: "\
## What it checks
Of each kind of problem with the records of logs the first few are shown, and the others counted; of any other file the first hundred findings (the first thousand in reports for programs).

## Why it matters
A log of ten million damaged lines must not make ten million findings, and a file of 20,000 mistakes not megabytes of text.

## Example
```
10000000 records are damaged; 5 of them are shown
```

## Reference
`--strict` ends at the first problem of a log.
",
};

/// So many more of a kind.
pub fn diagnostic(kind: &CodeInfo, count: u64) -> Diagnostic {
    let message = format!("{count} more of {} ({})", kind.code, kind.name);
    Diagnostic::without_place(&CODE, message)
}

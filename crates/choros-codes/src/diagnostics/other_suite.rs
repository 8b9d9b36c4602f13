//! A resume file that belongs to something else.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0999",
    name: "other-suite",
    severity: Severity::Error,
    documentation: "\
## What it checks
The file of `--resume` was written by a run of the same tests.

## Why it matters
Tests of another suite may have the same names; taking their verdicts for those of this one would be wrong.

## Example
```
choros drive loan.bpel -k 10 --resume run.jsonl     then, after it was stopped, the same again
```

## Reference
The chapter on driving services in the book.
",
};

/// `path` names the file.
pub fn diagnostic(path: &str, reason: &str) -> Diagnostic {
    Diagnostic::without_place(&CODE, format!("`{path}` cannot be gone on with: {reason}"))
        .note("begin with a new file, or with the options of the run before")
}

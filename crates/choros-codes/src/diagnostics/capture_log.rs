//! A log that the proxy does not write.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0982",
    name: "capture-log",
    severity: Severity::Error,
    documentation: "\
## What it checks
The log that `choros capture` writes does not exist yet, or `--append` allows appending to it; its extension is
one of the three forms `.jsonl`, `.xml` and `.log`; and a `.log`, which belongs to one service, gets the messages of
one service.

## Why it matters
An existing log is never overwritten.

## Example
```
choros capture … -o s.jsonl --append
```

## Reference
The forms of logs are described in the chapter on monitoring in the book.
",
};

/// Nothing is overwritten.
pub const IS_THERE: &str = "already exists; use `--append` to add to it";

/// It is for someone who does not take part.
pub fn of_a_stranger(path: &str, owner: &str) -> Diagnostic {
    let reason = format!("is for `{owner}`, which is in none of the pairs of --as");
    diagnostic(path, &reason)
}

/// What is wrong with it.
pub fn diagnostic(path: &str, reason: &str) -> Diagnostic {
    Diagnostic::without_place(&CODE, format!("`{path}` {reason}"))
}

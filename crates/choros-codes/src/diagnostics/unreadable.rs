//! A file that cannot be read.

use choros_base::{CodeInfo, Diagnostic, Severity, SourceError};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0901",
    name: "unreadable-file",
    severity: Severity::Error,
    documentation: "\
## What it checks
Every file that is named exists and holds text in UTF-8.

## Why it matters
Nothing can be said about a text that is not there, and a binary file is there by mistake.

## Example
```
choros check shop.schroa      // shop.schora
```

## Reference
Files are read whole. Only `choros fmt` and `choros check --update-baseline` change a file that they read.
",
};

/// The world's words.
pub fn diagnostic(error: &SourceError) -> Diagnostic {
    Diagnostic::without_place(&CODE, error.to_string())
}

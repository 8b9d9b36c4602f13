//! A `choros.toml` that is not TOML.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH1304",
    name: "project-syntax",
    severity: Severity::Error,
    documentation: "\
## What it checks
`choros.toml` is TOML 1.0.

## Why it matters
What is not understood would not be checked.

## Example
```toml
[[check]
files = [\"shop.chor\"]        # one bracket is missing above
```

## Reference
The chapter on continuous integration in the book; https://toml.io
",
};

/// `reason` is that of the reader.
pub fn diagnostic(reason: &str, place: Span) -> Diagnostic {
    let reason = reason.lines().collect::<Vec<_>>().join("; ");
    let message = format!("the project file cannot be read: {reason}");
    Diagnostic::new(&CODE, message, place, "reading stopped here")
}

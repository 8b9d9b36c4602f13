//! Characters that no token starts with.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0005",
    name: "unknown-character",
    severity: Severity::Error,
    documentation: "\
## What it checks
The text is made of names, numbers, strings and the signs of the language.

## Why it matters
Other characters come from a wrong file, a wrong encoding or a typo.

## Example
```
Request[b,v] § Confirm[v,b]
```

## Reference
Within strings and comments every character is allowed.
",
};

/// A run of such characters.
pub(crate) fn diagnostic(span: Span, text: &str) -> Diagnostic {
    // Signs as they are; what cannot be seen by its number.
    let shown: String = text.chars().take(8).flat_map(char::escape_debug).collect();
    Diagnostic::new(
        &CODE,
        format!("`{shown}` is not a character of the language"),
        span,
        "not understood, and skipped",
    )
}

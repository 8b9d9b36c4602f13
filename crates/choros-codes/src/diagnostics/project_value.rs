//! A value in `choros.toml` that makes no sense, or is missing.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH1306",
    name: "project-value",
    severity: Severity::Error,
    documentation: "\
## What it checks
Every key of `choros.toml` has a valid value, and every table has what it needs: an entry of the baseline has a reason and an expiry date.

## Why it matters
A value that is not understood would not be checked, and an entry without a reason would stay forever.

## Example
```toml
[[realize]]
files = \"shop.chor\"
mode = \"async\"               # sync, sender, receiver, disjoint or peers
```

## Reference
docs/schema/choros.schema.json says what each key takes.
",
};

/// `expected` says what it takes.
pub fn diagnostic(key: &str, expected: &str, place: Span) -> Diagnostic {
    let message = format!("`{key}` takes {expected}");
    Diagnostic::new(&CODE, message, place, "not this")
}

/// A table lacks a key.
pub fn missing(section: &str, key: &str, place: Span) -> Diagnostic {
    let message = format!("[[{section}]] needs `{key}`");
    Diagnostic::new(&CODE, message, place, "here")
}

/// A key that says nothing without another one.
pub fn lonely(key: &str, needed: &str, place: Span) -> Diagnostic {
    let message = format!("`{key}` needs `{needed}`");
    Diagnostic::new(&CODE, message, place, "here")
}

/// A file that has no choreographies, of which there could be several sessions.
pub fn no_sessions(file: &str, place: Span) -> Diagnostic {
    let message = format!("`sessions` means nothing for `{file}`");
    Diagnostic::new(&CODE, message, place, "here")
}

/// A code that does not exist.
pub fn unknown_code(text: &str, similar: Option<&str>, place: Span) -> Diagnostic {
    let message = format!("there is no diagnostic `{text}`");
    let found = Diagnostic::new(&CODE, message, place, "not known");
    match similar {
        Some(similar) => found.note(format!("did you mean `{similar}`?")),
        None => found.note("`choros explain` lists them all"),
    }
}

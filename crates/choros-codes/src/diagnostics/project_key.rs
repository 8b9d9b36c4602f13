//! A key that `choros.toml` does not have.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH1305",
    name: "project-key",
    severity: Severity::Error,
    documentation: "\
## What it checks
Every key of `choros.toml` means something.

## Why it matters
A misspelt key would do nothing, and what it asks for would silently not be checked.

## Example
```toml
[[conform]]
implementation = \"services.chor#both\"
specifcation = \"shop.chor\"             # specification
```

## Reference
docs/schema/choros.schema.json lists all keys.
",
};

/// `section` is empty for the top of the file; `similar` is the key that was probably meant.
pub fn diagnostic(
    section: &str,
    name: &str,
    similar: Option<&str>,
    known: &[&str],
    place: Span,
) -> Diagnostic {
    let whose = if section.is_empty() {
        "the project file".to_owned()
    } else {
        format!("[[{section}]]")
    };
    let message = format!("{whose} has no key `{name}`");
    let found = Diagnostic::new(&CODE, message, place, "not known here");
    match similar {
        Some(similar) => found.suggest(format!("did you mean `{similar}`?"), place, similar),
        None => found.note(format!("it has: {}", known.join(", "))),
    }
}

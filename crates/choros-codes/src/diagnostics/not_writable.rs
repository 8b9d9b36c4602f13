//! A graph that the native language has no text for.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0541",
    name: "not-writable",
    severity: Severity::Error,
    documentation: "\
## What it checks
A graph written as `.chor` can be expressed there: its names are valid in that language, its events can be written, and its blocks are not too deep or too long to read.

## Why it matters
What is written has to mean the same when it is read.

## Example
A role called `when` in a SChorA script has no valid name in the native language, where `when` begins a statement.
```
choros project shop.schora -o roles.chor      // roles.stg can write every graph
```

## Reference
`docs/language.md`.
",
};

/// `name` has something that the native language cannot write.
pub fn diagnostic(name: &str, reason: &str) -> Diagnostic {
    Diagnostic::without_place(
        &CODE,
        format!("`{name}` cannot be written in the native language: {reason}"),
    )
    .note("the forms .stg and .dot can write every graph")
}

/// `name` has something that g-choreographies cannot write.
pub fn as_gchor(name: &str, reason: &str) -> Diagnostic {
    Diagnostic::without_place(
        &CODE,
        format!("`{name}` cannot be written as a g-choreography: {reason}"),
    )
}

//! A file that cannot be formatted.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0930",
    name: "no-formatter",
    severity: Severity::Error,
    documentation: "\
## What it checks
`choros fmt` is given files of the native language, `.chor`, g-choreographies, `.gc`, COWS terms, `.cows`, or properties without comments, `.prop`.

## Why it matters
The other kinds belong to other tools, or are written by machines.
Formatting must lose nothing, comments least of all, and there is no such formatter for them.

## Example
```
choros fmt shop.schora
```

## Reference
`docs/language.md`.
",
};

/// There is no formatter for files like this.
pub(crate) fn diagnostic(path: &str) -> Diagnostic {
    Diagnostic::without_place(
        &CODE,
        format!("`{path}` cannot be formatted: it is no `.chor`, `.gc`, `.cows` or `.prop` file"),
    )
    .note("`--as chor` formats a file with another extension")
}

/// The formatter would lose comments.
pub(crate) fn comments(path: &str) -> Diagnostic {
    Diagnostic::without_place(
        &CODE,
        format!(
            "`{path}` stays as it is: it has comments, which the form of properties has no place for"
        ),
    )
}

/// The formatter made something else of the file.
pub(crate) fn unfaithful(path: &str) -> Diagnostic {
    Diagnostic::without_place(
        &CODE,
        format!("`{path}` stays as it is: formatted, it would not read as the same"),
    )
    .note("that is a mistake of the formatter; please report it with the file")
}

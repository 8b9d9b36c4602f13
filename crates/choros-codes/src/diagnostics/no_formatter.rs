//! A file that cannot be formatted.

use choros_base::{CodeInfo, Diagnostic, Severity};

use crate::FileKind;
use crate::extensions;

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0930",
    name: "no-formatter",
    severity: Severity::Error,
    documentation: "\
## What it checks
`choros fmt` is given files of a language that people write: `.chor`, `.pact`, `.gc`, `.cows`, `.socl`, `.abs`, `.tp`, `.contract`, or `.prop` without comments.

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
pub fn diagnostic(path: &str, others: &[FileKind]) -> Diagnostic {
    Diagnostic::without_place(&CODE, format!("`{path}` cannot be formatted"))
        .note(format!("{} files can", extensions(others)))
        .note("`--as chor` formats a file with another extension")
}

/// The formatter would lose what the text has.
pub fn comments(path: &str, what: &str) -> Diagnostic {
    Diagnostic::without_place(&CODE, format!("`{path}` is left unchanged: {what}"))
}

/// The formatter made something else of the file.
pub fn unfaithful(path: &str) -> Diagnostic {
    Diagnostic::without_place(
        &CODE,
        format!("`{path}` is left unchanged: the formatted text would mean something else"),
    )
    .note("that is a mistake of the formatter; please report it with the file")
}

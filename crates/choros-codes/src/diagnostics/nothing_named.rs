//! An item of `choros.toml` that names nothing.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH1307",
    name: "nothing-named",
    severity: Severity::Error,
    documentation: "\
## What it checks
`choros.toml` names something to check, every pattern fits a file, and every `[[verify]]` asks something.

## Why it matters
A check of nothing is green, and a renamed folder would go unnoticed.

## Example
```toml
[[check]]
files = \"modles/*.chor\"      # no such folder
```

## Reference
The chapter on continuous integration in the book.
",
};

/// The file has no items.
pub fn no_items(path: &str) -> Diagnostic {
    let message = format!("`{path}` names nothing to check");
    Diagnostic::without_place(&CODE, message)
        .note("write [[check]], [[realize]], [[conform]] or [[verify]]")
}

/// A list of files is empty.
pub fn no_files(place: Span) -> Diagnostic {
    Diagnostic::new(&CODE, "`files` names no file", place, "named here")
}

/// A pattern fits no file.
pub fn no_file(pattern: &str, similar: Option<&str>, place: Span) -> Diagnostic {
    let message = format!("no file fits `{pattern}`");
    let found = Diagnostic::new(&CODE, message, place, "named here");
    match similar {
        Some(similar) => found.note(format!("there is `{similar}`")),
        None => found,
    }
}

/// A table of `verify` asks nothing.
pub fn no_question(place: Span) -> Diagnostic {
    Diagnostic::new(&CODE, "[[verify]] asks nothing", place, "here")
        .note("it needs `formulas`, `formula` or `pattern`")
}

//! A file that cannot be written in another language.

use choros_base::{CodeInfo, Diagnostic, Severity};

use crate::FileKind;

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0913",
    name: "no-conversion",
    severity: Severity::Error,
    documentation: "\
## What it checks
`choros fmt --as KIND` writes a file of one language in another: g-choreographies (`.gc`) in the native language and back, and SChorA scripts, Chor and graphs (`.schora`, `.pact`, `.stg`, `.dot`, `.stga`) in the native language.

## Why it matters
Other pairs cannot be translated: machines and COWS services have no choreography, and a graph lacks the tree of sequences, choices and loops that g-choreographies need.

## Example
```
choros fmt bank.cows --as chor
```

## Reference
`choros help fmt`; `docs/book/src/languages`.
",
};

/// There is no way from one kind to the other.
pub fn diagnostic(path: &str, from: FileKind, to: FileKind) -> Diagnostic {
    let (from, to) = (from.words(), to.words());
    let message = format!("`{path}` is a {from}, which cannot be written as a {to}");
    Diagnostic::without_place(&CODE, message)
        .note("`--as chor` translates `.gc`, `.schora`, `.pact`, `.stg`, `.dot` and `.stga` files, `--as gc` translates `.chor` files")
        .note("a file with the wrong extension has to be renamed before it is formatted")
}

/// A question about the form of a file, together with a translation.
pub fn asked(path: &str) -> Diagnostic {
    Diagnostic::without_place(
        &CODE,
        format!("`--check` asks about `{path}` as it is, and `--as` would translate it"),
    )
    .note("leave one of them out")
}

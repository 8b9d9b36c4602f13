//! An option that means nothing for the files that are given.

use choros_base::{CodeInfo, Diagnostic, Severity};

use crate::FileKind;
use crate::extensions;

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0912",
    name: "meaningless-option",
    severity: Severity::Error,
    documentation: "\
## What it checks
Every option that is given means something for at least one of the files.
Limits of the run (`--max-states`, `--solver-budget`, `--timeout`) and the form of the report always do.

## Why it matters
A silently ignored option looks as if it had worked: a user who writes `--channels bag` for a model without
channels would believe that messages were allowed to overtake each other.

## Example
```
choros explore atm.gc --traces      // --pomsets counts its linearisations
```

## Reference
`choros help VERB` says for which files an option is.
",
};

/// `option` is for other kinds of files than that of `path`.
pub fn diagnostic(
    option: &str,
    (path, kind): (&str, Option<FileKind>),
    kinds: &[FileKind],
    hint: Option<&str>,
) -> Diagnostic {
    let file = match kind {
        Some(kind) => format!("`{path}`, a {}", kind.words()),
        None => format!("`{path}`"),
    };
    let message = format!("`{option}` means nothing for {file}");
    let mut diagnostic = Diagnostic::without_place(&CODE, message);
    if !kinds.is_empty() {
        diagnostic = diagnostic.note(format!("it is for {} files", extensions(kinds)));
    }
    match hint {
        Some(hint) => diagnostic.note(hint),
        None => diagnostic,
    }
}

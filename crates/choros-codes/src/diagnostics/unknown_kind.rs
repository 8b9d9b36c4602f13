//! A file whose language is not known.

use choros_base::{CodeInfo, Diagnostic, Severity};

use crate::FileKind;

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0902",
    name: "unknown-kind",
    severity: Severity::Error,
    documentation: "\
## What it checks
The extension of a file says which language it is in, unless `--as` does.

## Why it matters
Guessing from the contents would sometimes be wrong, and then every message would mislead.

## Example
```
choros check shop.txt      // --as schora
```

## Reference
The kinds are listed by `choros help check`.
",
};

/// No kind for this path.
pub fn diagnostic(path: &str) -> Diagnostic {
    let kinds: Vec<String> = FileKind::ALL
        .into_iter()
        .map(|kind| format!("`.{}` ({})", kind.extension(), kind.words()))
        .collect();
    let found =
        Diagnostic::without_place(&CODE, format!("cannot tell what kind of file `{path}` is"));
    if path.ends_with(".solve") {
        // Its types may come from other documents, which only that verb reads.
        return found.note(format!(
            "a `.solve` file is a question about values: `choros solve {path}` answers it"
        ));
    }
    found
        .note(format!("known kinds: {}", kinds.join(", ")))
        .note("say it with `--as KIND` where the extension does not")
}

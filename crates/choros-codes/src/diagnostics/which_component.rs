//! A file with several components where one is meant.

use choros_base::{CodeInfo, Diagnostic, Severity};

use crate::{Content, FileKind};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0909",
    name: "which-component",
    severity: Severity::Error,
    documentation: "\
## What it checks
Where a verb wants one component, the file has only one or the name of one is given after `#`.

## Why it matters
Comparing the wrong component is worse than comparing none.

## Example
```
choros conform shop.schora shop.schora#shop       // shop.schora#services
```

## Reference
`choros explore FILE` lists the components of a file.
",
};

/// The file has these components.
pub fn diagnostic(path: &str, names: &[String]) -> Diagnostic {
    let message = format!("`{path}` does not have just one component");
    let diagnostic = Diagnostic::without_place(&CODE, message);
    match names {
        [] => diagnostic.note("it has no components that are graphs"),
        [first, ..] => diagnostic
            .note(format!("it has {}", names.join(", ")))
            .note(format!("choose one, such as `{path}#{first}`")),
    }
}

/// The file has no graphs with data, because it is of another kind.
pub fn no_graphs(path: &str, kind: FileKind) -> Diagnostic {
    let message = format!("`{path}` is a {}, not a graph with data", kind.words());
    let diagnostic = Diagnostic::without_place(&CODE, message);
    match kind.content() {
        Content::Gchor => diagnostic.note(format!(
            "`choros fmt {path} --as chor` writes it in the native language, `choros realize {path}` judges its machines"
        )),
        Content::Machines => {
            diagnostic.note("`choros comply` compares a machine with tests, `choros check` judges machines")
        }
        _ => diagnostic.note(format!("`choros verify {path}` asks whether formulas hold")),
    }
}

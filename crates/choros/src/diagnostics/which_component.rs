//! A file with several components where one is meant.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0909",
    name: "which-component",
    severity: Severity::Error,
    documentation: "\
## What it checks
Where a verb wants one component, the file has only one or the name of one is given after `#`.

## Why it matters
To compare the wrong component is worse than to compare none.

## Example
```
choros conform shop.schora shop.schora#shop       // shop.schora#services
```

## Reference
`choros explore FILE` lists the components of a file.
",
};

/// The file has these components.
pub(crate) fn diagnostic(path: &str, names: &[String]) -> Diagnostic {
    let message = format!("`{path}` does not have just one component");
    let diagnostic = Diagnostic::without_place(&CODE, message);
    match names {
        [] => diagnostic.note("it has no components that are graphs"),
        [first, ..] => diagnostic
            .note(format!("it has {}", names.join(", ")))
            .note(format!("choose one, such as `{path}#{first}`")),
    }
}

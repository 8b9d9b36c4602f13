//! A suite whose model is another one now.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0985",
    name: "changed-model",
    severity: Severity::Error,
    documentation: "\
## What it checks
The model that a suite of symbolic tests was made from is still the same, and has the paths that the suite lists.

## Why it matters
A suite names the paths of a model.
In a model that has changed they lead elsewhere: other tests than those of the file would be run, and reported under their names.

## Example
```
choros tests loan.bpel --emit json -o suite     then loan.bpel is edited, and
choros drive suite/suite.json
```

## Reference
The chapter on driving services in the book.
",
};

/// `path` names the suite.
pub fn diagnostic(path: &str, reason: &str) -> Diagnostic {
    Diagnostic::without_place(&CODE, format!("`{path}` cannot be run: {reason}"))
        .note("make the suite again with `choros tests`, or drive the model itself")
}

//! A file without anything in it.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0911",
    name: "nothing-declared",
    severity: Severity::Warning,
    documentation: "\
## What it checks
A file declares at least one component: a choreography, a role or a system.

## Why it matters
Nothing is wrong with nothing, so a check of an empty file would say that all is well.

## Example
```
choros check shop.chor      // shop.chor was never saved
```

## Reference
The empty conjunction is true; that is seldom what was asked.
",
};

/// Nothing can be said about this file.
pub(crate) fn diagnostic(path: &str) -> Diagnostic {
    Diagnostic::without_place(&CODE, format!("`{path}` declares nothing"))
}

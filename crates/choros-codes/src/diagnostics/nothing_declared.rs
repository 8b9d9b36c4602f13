//! A file without anything in it.

use choros_base::{CodeInfo, Diagnostic, Severity};

/// The code.
pub static CODE: CodeInfo = CodeInfo {
    code: "CH0911",
    name: "nothing-declared",
    severity: Severity::Warning,
    documentation: "\
## What it checks
A file declares at least one component (a choreography, a role or a system), property or formula.
To `verify` formulas or `monitor` properties of an empty file is an error.

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

/// A verb that is to answer the questions of this file has none to answer.
pub fn no_question(path: &str) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        ..diagnostic(path)
    }
}

/// Nothing can be said about this file.
pub fn diagnostic(path: &str) -> Diagnostic {
    Diagnostic::without_place(&CODE, format!("`{path}` declares nothing"))
}

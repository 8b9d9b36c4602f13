//! A file without anything in it.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0911",
    name: "nothing-declared",
    severity: Severity::Error,
    documentation: "\
## What it checks
A file declares at least one component (a choreography, a role or a system), property, formula, purpose, contract or variable; a binding says at least which model it is of.

## Why it matters
An empty file has no mistakes, so checking it would say that all is well, and continuous integration would be green.

## Example
```
choros check shop.chor      // shop.chor was never saved
```

## Reference
The empty conjunction is true; that is seldom what was asked.
",
};

/// Nothing can be said about this file.
pub fn diagnostic(path: &str) -> Diagnostic {
    Diagnostic::without_place(&CODE, format!("`{path}` declares nothing"))
}

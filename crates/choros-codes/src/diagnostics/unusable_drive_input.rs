//! An address, a suite or an option that a driver cannot use.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0998",
    name: "unusable-drive-input",
    severity: Severity::Error,
    documentation: "\
## What it checks
Every partner that the tester plays and the service calls has an address; a suite is one of symbolic tests.

## Why it matters
A message in a form that the service does not expect would look like a failure of the service.

## Example
```
choros drive order.stg --mock-partners --mock-at w=:9001
```

## Reference
The chapter on driving services in the book.
",
};

/// `path` names the file, or the option.
pub fn diagnostic(path: &str, reason: &str) -> Diagnostic {
    Diagnostic::without_place(&CODE, format!("{path}: {reason}"))
}

//! A mapping, a suite or an option that a driver cannot use.

use choros_base::{CodeInfo, Diagnostic, Severity};

/// The code.
pub static CODE: CodeInfo = CodeInfo {
    code: "CH0998",
    name: "drive-mapping",
    severity: Severity::Error,
    documentation: "\
## What it checks
The mapping of `choros drive` is one JSON object with the keys `target`, `listen` and `operations`; every partner that
the tester plays and the service calls has an address; a suite is one of symbolic tests.

## Why it matters
A message that travels otherwise than the service expects would be taken for a failure of the service.

## Example
```
{ \"target\": \"http://127.0.0.1:8080\",
  \"listen\": { \"w\": \":9001\" },
  \"operations\": { \"Request\": { \"path\": \"/orders\", \"fields\": [\"amount\"], \"answers\": [\"Confirm\", \"Abort\"] },
                  \"Abort\": { \"status\": 409 } } }
```

## Reference
The chapter on driving services in the book.
",
};

/// `path` names the file, or the option.
pub fn diagnostic(path: &str, reason: &str) -> Diagnostic {
    Diagnostic::without_place(&CODE, format!("{path}: {reason}"))
}

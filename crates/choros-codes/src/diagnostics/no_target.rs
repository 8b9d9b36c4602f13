//! A service that is to be driven, and no one says where it is.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0997",
    name: "no-target",
    severity: Severity::Error,
    documentation: "\
## What it checks
`choros drive` finds the address of the service under test: `--target`, the mapping, or the WSDL of a process.

## Why it matters
A test needs a service to talk to.

## Example
```
choros drive shop.chor#order_vendor --target http://127.0.0.1:8080
```

## Reference
The chapter on driving services in the book.
",
};

/// `hint` says where the address can be given.
pub fn diagnostic(model: &str, hint: &str) -> Diagnostic {
    Diagnostic::without_place(
        &CODE,
        format!("nothing says where the service of `{model}` is: {hint}"),
    )
}

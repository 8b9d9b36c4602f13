//! A certificate that is about something else.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH1302",
    name: "foreign-certificate",
    severity: Severity::Error,
    documentation: "\
## What it checks
The models that are given are those the certificate was made for, to the byte, and this version builds the same graphs from them.

## Why it matters
A certificate for another model shows nothing about this one, even where both have the same name.

## Example
```
choros conform impl.schora spec.schora --certificate proof.json
// impl.schora is edited
choros certify proof.json impl.schora spec.schora       // about the old text
```

## Reference
The chapter on certificates in the book.
",
};

/// `reason` says what differs.
pub fn diagnostic(path: &str, reason: &str) -> Diagnostic {
    let message = format!("`{path}` is a certificate of something else: {reason}");
    Diagnostic::without_place(&CODE, message).note("make it again with `--certificate`")
}

//! A file that is not a certificate.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH1301",
    name: "not-a-certificate",
    severity: Severity::Error,
    documentation: "\
## What it checks
The file is a certificate as `--certificate FILE` writes it: whole, of a version that is known, and every condition, value and number in it can be read.

## Why it matters
An incomplete certificate proves nothing.

## Example
```
choros conform impl.schora spec.schora --certificate proof.json
head -c 500 proof.json > part.json
choros certify part.json impl.schora spec.schora        // the rest is missing
```

## Reference
docs/schema/certificate.schema.json
",
};

/// `reason` says why; `place` is where reading stopped, if that is known.
pub fn diagnostic(path: &str, reason: &str, place: Option<Span>) -> Diagnostic {
    let message = format!("`{path}` is not a certificate: {reason}");
    match place {
        Some(place) => Diagnostic::new(&CODE, message, place, "reading stopped here"),
        None => Diagnostic::without_place(&CODE, message),
    }
}

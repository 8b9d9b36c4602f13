//! An answer for which no certificate can be written.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH1303",
    name: "no-certificate",
    severity: Severity::Warning,
    documentation: "\
## What it checks
An answer that was asked for with `--certificate` has one.

## Why it matters
The answer is still valid, but others cannot check it; the file was not written, and a run that would have ended with exit code 0 or 3 ends with 4.
There is none for *unknown*, with `--role`, where silent steps choose among infinitely many values on the way to an answer, where not all configurations of machines were examined, and for roles that are judged one by one or by conditions.

## Example
```
choros conform impl.schora spec.schora --role v --certificate proof.json
```

## Reference
The chapter on certificates in the book.
",
};

/// `reason` says why.
pub fn diagnostic(name: &str, reason: &str) -> Diagnostic {
    let message = format!("no certificate for `{name}` was written: {reason}");
    Diagnostic::without_place(&CODE, message)
}

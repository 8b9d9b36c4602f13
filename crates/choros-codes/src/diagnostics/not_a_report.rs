//! A file that is not a saved report.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0922",
    name: "not-a-report",
    severity: Severity::Error,
    documentation: "\
## What it checks
The file was written by `--format json`, by this version or an earlier one.

## Why it matters
Evidence can be replayed only if all of it is there.

## Example
```
choros check shop.schora --format json > report.json
choros replay report.json
choros replay shop.schora                     // not a report
```

## Reference
The form of reports is described in docs/schema/report.schema.json.
",
};

/// `reason` says why.
pub fn diagnostic(path: &str, reason: &str, place: Span) -> Diagnostic {
    let message = format!("`{path}` is not a report of Choros: {reason}");
    Diagnostic::new(&CODE, message, place, "reading stopped here")
        .note("save one with `--format json`")
}

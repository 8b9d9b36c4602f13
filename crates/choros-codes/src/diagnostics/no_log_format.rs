//! A log whose form is not known.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0973",
    name: "no-log-format",
    severity: Severity::Error,
    documentation: "\
## What it checks
The format of a log is recognised by its extension or by its first record, or `--log-format` names it.

## Why it matters
A log read in the wrong format is full of false mistakes.

## Example
```
choros audit order.pact --log 1=buyer.txt
```

## Reference
`--log-format jsonl` is the native form: one JSON object per line.
",
};

/// The extension says nothing.
pub fn diagnostic(path: &str) -> Diagnostic {
    Diagnostic::without_place(
        &CODE,
        format!("the format of the log `{path}` is not known"),
    )
    .note("say it with --log-format: jsonl, csv, xml, log, har, otlp, jaeger, zipkin, cloudevents, access or kcat")
}

//! Logs that are too long to be audited at once.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0983",
    name: "too-many-observations",
    severity: Severity::Error,
    documentation: "\
## What it checks
The logs of an audit have no more observations together than `--most-observations`.

## Why it matters
An audit compares whole logs and holds them in memory, some hundred bytes for each observation. Judging a part of them would find messages without their other ends.

## Example
```
choros audit order.pact --log 1=year.jsonl
```

## Reference
Split the logs by session or by day, or raise the bound. `choros monitor` watches properties over logs of any length within bounded memory.
",
};

/// There are more than `most` of them, in this log or in those before it.
pub fn diagnostic(path: &str, most: usize) -> Diagnostic {
    Diagnostic::without_place(
        &CODE,
        format!("with `{path}` there are more than {most} observations"),
    )
    .note("split the logs by session or by day, or raise `--most-observations`")
}

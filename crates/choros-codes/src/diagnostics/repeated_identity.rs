//! A log with two messages of one identity.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0984",
    name: "repeated-identity",
    severity: Severity::Warning,
    documentation: "\
## What it checks
No two messages that a service sent, or received, have the same `id`.

## Why it matters
The identity connects a send with its receive. If several have the same identity, the first is connected with the first, the second with the second, which may be wrong.

## Example
```
{\"dir\":\"send\",\"op\":\"Order\",\"id\":\"m1\",…}
{\"dir\":\"send\",\"op\":\"Order\",\"id\":\"m1\",…}
```

## Reference
A line that was written twice is a common cause. A request and its answer may share an identity, since one of them is sent and the other received.
",
};

/// The first such observation is on this line.
pub fn diagnostic(path: &str, line: u64, id: &str, count: usize) -> Diagnostic {
    let diagnostic = Diagnostic::without_place(
        &CODE,
        format!("`{path}` line {line}: another message has the identity `{id}`"),
    );
    match count {
        1 => diagnostic,
        count => diagnostic.note(format!("so it is with {count} observations of this log")),
    }
}

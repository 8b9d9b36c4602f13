//! Two messages of a log with one identity.

use choros_base::{CodeInfo, Severity};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1027",
    name: "duplicate-id",
    severity: Severity::Warning,
    documentation: "\
## What it checks
No two messages that a service sent, and no two that it received, have the same `id`.

## Why it matters
A line that was written twice makes a window count one message too many. Both are judged.

## Example
```
{\"id\":\"m1\",\"op\":\"Request\",…}
{\"id\":\"m1\",\"op\":\"Request\",…}
```

## Reference
Identities are remembered in fixed memory: a repetition after some tens of thousands of messages may go unnoticed.
",
};

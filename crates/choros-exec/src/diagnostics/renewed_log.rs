//! A log that is not the file it was.

use choros_base::{CodeInfo, Severity};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1031",
    name: "renewed-log",
    severity: Severity::Warning,
    documentation: "\
## What it checks
A log that is followed, or continued from a saved state, only grows.

## Why it matters
What was written to it after it was read last, and before it was cut or replaced, was never seen. The new file is read from its beginning.

## Example
```
choros monitor p.prop --log s=s.jsonl --follow --state s.state
```
while `s.jsonl` is copied and emptied every night.

## Reference
A log that is renamed, with a new one in its place, is read to its end first, and nothing is missed while it is followed: prefer that to copying and emptying.
",
};

//! An observation whose time lies before one that was judged already.

use choros_base::{CodeInfo, Severity};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1026",
    name: "late-observation",
    severity: Severity::Warning,
    documentation: "\
## What it checks
Within one log, times do not go backwards by more than `--slack` milliseconds.

## Why it matters
Windows in time, and the order of messages, rest on it. A late observation is judged in the place where it came, never dropped.

## Example
```
{\"at\":2000,…}
{\"at\":1000,…}
```

## Reference
`--slack MS` reorders observations that arrive up to this much late.
",
};

//! An observation without a time, where a property needs one.

use choros_base::{CodeInfo, Severity};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1028",
    name: "no-time",
    severity: Severity::Warning,
    documentation: "\
## What it checks
Every observation of a log that a property with a window in time is about has a time.

## Why it matters
It is judged as if it had come at the latest time seen so far, which may be too early.

## Example
```
property quick on s { … within 2 s … }      // over a log without \"at\"
```

## Reference
A mapping file says where the time is and how it is written.
",
};

//! A record that is longer than records may be.

use choros_base::{CodeInfo, Severity};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1024",
    name: "too-long-a-record",
    severity: Severity::Warning,
    documentation: "\
## What it checks
No record is longer than `--longest` bytes, a megabyte unless said otherwise.

## Why it matters
A reader that keeps whatever comes can be brought down by one line. Such a record is skipped to its end, counted and reported; the rest is read.

## Example
```
{\"op\":\"Upload\",\"data\":{\"file\":\"…a gigabyte…\"}}
```

## Reference
Memory stays the same however long the line is.
",
};

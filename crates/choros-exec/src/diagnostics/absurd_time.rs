//! A time that is absurd among those around it.

use choros_base::{CodeInfo, Severity};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1036",
    name: "absurd-time",
    severity: Severity::Warning,
    documentation: "\
## What it checks
No record of a service is more than a year before or after those around it in the same log.

## Why it matters
One record that a broken clock has stamped with the year 9000 would end every window of a monitor, and services would \
fail for it. Its time is not believed: it counts as seen with the record before it. If it is the last, nothing says \
whether the clock was right, and it is left out. Two records in a row that agree are believed: then the clock was set.

## Example
```
{\"at\":1794000000000,\"by\":\"s\",\"dir\":\"recv\",\"from\":\"c\",\"to\":\"s\",\"op\":\"Request\"}
{\"at\":221845392000000,\"by\":\"s\",\"dir\":\"recv\",\"from\":\"c\",\"to\":\"s\",\"op\":\"Noise\"}
{\"at\":1794000001000,\"by\":\"s\",\"dir\":\"send\",\"from\":\"s\",\"to\":\"c\",\"op\":\"Response\"}
```

## Reference
A time outside the years 1970 to 9999 is not a valid time (CH1023).
",
};

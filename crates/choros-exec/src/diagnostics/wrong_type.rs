//! A part of an observation of the wrong kind.

use choros_base::{CodeInfo, Severity};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1023",
    name: "wrong-type",
    severity: Severity::Warning,
    documentation: "\
## What it checks
Operation, roles, identity and session are texts (numbers are read as texts), the direction is `send` or `recv`, and the time is written as the mapping says.

## Why it matters
A malformed time cannot be compared, and a list cannot be an operation.

## Example
```
{\"at\":\"yesterday\",\"by\":\"s\",\"dir\":\"recv\",\"from\":\"c\",\"to\":\"s\",\"op\":\"Request\"}
```

## Reference
Times in words need a mapping file with `\"time\": \"iso\"`.
",
};

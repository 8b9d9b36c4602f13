//! An observation without something that every observation has.

use choros_base::{CodeInfo, Severity};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1022",
    name: "missing-field",
    severity: Severity::Warning,
    documentation: "\
## What it checks
Every observation has an operation, a sender, a receiver and a direction; the direction may be left out where the service is one of the two.

## Why it matters
Without them, it is unknown which message it was.

## Example
```
{\"by\":\"s\",\"from\":\"c\",\"to\":\"s\"}      // no \"op\"
```

## Reference
`docs/schema/observation.schema.json`; a mapping file says where these parts are in logs of another format.
",
};

//! An observation in the log of another service.

use choros_base::{CodeInfo, Severity};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1025",
    name: "other-service",
    severity: Severity::Warning,
    documentation: "\
## What it checks
The service that an observation names is the one whose log it is in (`--log s=FILE`).

## Why it matters
Two logs may have been mixed up, or given to the wrong service. The observation is judged as one of this log.

## Example
```
choros monitor p.prop --log s=client.jsonl
```

## Reference
Without a name before `=`, each observation says whose log it belongs to.
",
};

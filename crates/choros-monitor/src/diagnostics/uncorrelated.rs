//! A message that lacks what correlates it.

use choros_base::{CodeInfo, Severity};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1030",
    name: "uncorrelated-observation",
    severity: Severity::Warning,
    documentation: "\
## What it checks
A message that opens a window of a property `with session`, `with id` or `with` a path has that value.

## Why it matters
Nothing could be found to answer it, so no window is opened.

## Example
```
property p on s { context Request[c,s]?(any) with session … }      // over a Request without a session
```

## Reference
Definition 15 has no correlation; this is our extension.
",
};

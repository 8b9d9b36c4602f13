//! A stream of verdicts that broke off.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0968",
    name: "broken-verdict-stream",
    severity: Severity::Error,
    documentation: "\
## What it checks
The testers that a global tester reads from are running, use its format, and report when they are done.

## Why it matters
A lost verdict may have been the one that fails; nothing is concluded from part of a stream.

## Example
```
choros monitor global.prop --verdicts-from s=localhost:7001      // no listener there
```

## Reference
`choros monitor local.prop --publish ADDR` is the other end.
",
};

/// What happened to the stream of a tester.
pub fn diagnostic(service: &str, reason: &str) -> Diagnostic {
    let message = format!("the verdicts of `{service}` are not complete: {reason}");
    Diagnostic::without_place(&CODE, message)
}

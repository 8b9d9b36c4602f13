//! A stream of verdicts that broke off.

use choros_base::{CodeInfo, Diagnostic, Severity};

/// The code.
pub static CODE: CodeInfo = CodeInfo {
    code: "CH0968",
    name: "broken-verdict-stream",
    severity: Severity::Error,
    documentation: "\
## What it checks
The testers that a global tester hears are there, speak its language, and say when they have come to their end.

## Why it matters
A verdict that was not heard may have been the one that fails; nothing is concluded from half of a stream.

## Example
```
choros monitor global.prop --verdicts-from s=localhost:7001      // nobody listens there
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

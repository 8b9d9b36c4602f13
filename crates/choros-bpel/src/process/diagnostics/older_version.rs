//! A process in BPEL4WS 1.1.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1400",
    name: "older-version",
    severity: Severity::Information,
    documentation: "\
## What it checks
Whether a process is written in BPEL4WS 1.1, the version before WS-BPEL 2.0.

## Why it matters
Such a process is translated to WS-BPEL 2.0 and then read; `switch` becomes `if`, `terminate` becomes `exit`, expressions in attributes become elements.
The static rules of WS-BPEL 2.0 are not checked, since they are rules of another language.

## Example
```
<process name='P' xmlns='http://schemas.xmlsoap.org/ws/2003/03/business-process/'>
```

## Reference
Business Process Execution Language for Web Services, version 1.1 (2003); WS-BPEL 2.0, whose section 1 names it as its predecessor.
",
};

/// The process is translated.
pub(crate) fn diagnostic(span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        "a process in BPEL4WS 1.1 is read as its translation to WS-BPEL 2.0",
        span,
        "the version before WS-BPEL 2.0",
    )
}

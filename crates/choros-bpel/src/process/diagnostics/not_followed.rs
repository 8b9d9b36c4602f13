//! Something in a process that is read and not followed.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1181",
    name: "not-followed",
    severity: Severity::Warning,
    documentation: "\
## What it checks
What a process says is followed to the letter, or it is named here.

## Why it matters
The rest of the process is explored and tested.
What is not followed may be anything, so a correct service is never blamed for it; but a service that passes may still be wrong there, so *holds* becomes *unknown*.

## Example
```
<copy><from>bpel:doXslTransform('urn:stylesheet', $order)</from><to>$bill</to></copy>
```

## Reference
The README of `choros-bpel` lists what is followed.
",
};

/// `what` is not followed; `instead` says what is done.
pub(crate) fn diagnostic(what: &str, instead: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("{what} is not followed: what depends on it is unknown"),
        span,
        instead,
    )
}

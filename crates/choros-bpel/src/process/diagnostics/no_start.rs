//! A process that nothing starts.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1150",
    name: "no-start",
    severity: Severity::Warning,
    documentation: "\
## What it checks
Some `receive` or `pick` creates an instance of the process.

## Why it matters
An engine never starts it.
An executable process without one is rejected; in an abstract process the start may be left open, which is a warning.

## Example
```
<receive partnerLink='USER' operation='request' variable='x' createInstance='yes'/>
```

## Reference
WS-BPEL 2.0, section 5.5 ([SA00015]).
",
};

/// Nothing starts the process.
pub(crate) fn diagnostic(process: &str, severity: Severity, span: Span) -> Diagnostic {
    let mut diagnostic = Diagnostic::new(
        &CODE,
        format!("nothing starts the process `{process}`"),
        span,
        "no `receive` or `pick` has `createInstance=\"yes\"`",
    );
    diagnostic.severity = severity;
    diagnostic
}

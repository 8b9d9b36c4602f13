//! A line of an oracle that says nothing.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0840",
    name: "oracle-line",
    severity: Severity::Error,
    documentation: "\
## What it checks
An oracle file has the keys `success_states`, with a list of states for each participant, `order`, and perhaps `channels`.

## Why it matters
Success states that are not understood would silently be missing, and the test would fail for no reason.

## Example
```
success_states:
  B 2, 5
```

## Reference
The oracle files of ChorTest: `success_states: {participant: [states]}` and `order: [participants]`.
Only this small part of YAML is read.
",
};

/// The line at `span` is none of an oracle.
pub(crate) fn diagnostic(span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        "an oracle lists success states as `PARTICIPANT: [STATE, …]` below `success_states:`",
        span,
        "this line is left out",
    )
}

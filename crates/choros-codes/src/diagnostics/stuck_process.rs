//! A process that gets stuck.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH1180",
    name: "stuck-process",
    severity: Severity::Warning,
    documentation: "\
## What it checks
In every state that a process can reach, something can happen: it continues, waits for a message or for time, or has ended.

## Why it matters
A process that is stuck never answers.
Links in a circle are the usual reason: each activity waits for the status of a link that another one sets, which waits too.

## Example
```
<flow>
  <links><link name='a'/><link name='b'/></links>
  <empty><targets><target linkName='b'/></targets><sources><source linkName='a'/></sources></empty>
  <empty><targets><target linkName='a'/></targets><sources><source linkName='b'/></sources></empty>
</flow>
```

## Reference
WS-BPEL 2.0, section 11.6.1; `choros draw` shows the state.
",
};

/// `about` says in which state, and for which data.
pub fn diagnostic(process: &str, about: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("`{process}` can get stuck"),
        span,
        "this never happens, and nothing else does",
    )
    .note(about)
}

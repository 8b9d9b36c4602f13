//! A correlation that can never match.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0992",
    name: "unmatched-correlation",
    severity: Severity::Warning,
    documentation: "\
## What it checks
Every message that takes part in a correlation can agree with it in some run.

## Why it matters
A message with `initiate=\"no\"` before any that initiates the set, or a second `initiate=\"yes\"`, always raises
`correlationViolation`: the conversation can only fail there.

## Example
```
<receive operation='cancel' …><correlations><correlation set='LS' initiate='no'/></correlations></receive>
```
as the first activity of a process.

## Reference
WS-BPEL 2.0, section 9.2; L. Bentakouk, *Symbolic Testing Approach of Composite Web Services*, section 3.3.2.
",
};

/// The correlation at `span` is always broken; `reasons` are sentences that cannot hold together.
pub fn diagnostic(what: &str, span: Span, reasons: Vec<String>) -> Diagnostic {
    let mut diagnostic = Diagnostic::new(
        &CODE,
        format!("the correlation of {what} can never match"),
        span,
        "always raises `bpel:correlationViolation`",
    );
    diagnostic.notes = reasons;
    diagnostic
}

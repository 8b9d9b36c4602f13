//! A partner link that no one declares.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1141",
    name: "unknown-partner-link",
    severity: Severity::Error,
    documentation: "\
## What it checks
Every activity that communicates names a partner link that is declared around it, with a role for its side.

## Why it matters
Without it, the sender and receiver of the message are unknown.

## Example
```
<receive partnerLink='USR' operation='request' variable='x'/>
```

## Reference
WS-BPEL 2.0, sections 6.2 and 12.7.1 ([SA00084]); L. Bentakouk, Symbolic Testing Approach of Composite Web Services, Definition 3.3.6.
",
};

/// No partner link of this name; `known` are those that there are.
pub(crate) fn diagnostic<'a>(
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
    span: Span,
) -> Diagnostic {
    let message = format!("no partner link `{name}` is declared");
    super::unknown(&CODE, message, name, known, span)
}

/// The partner link has no such role.
pub(crate) fn without_role(name: &str, role: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("the partner link `{name}` has no `{role}`"),
        span,
        format!("needs `{role}`"),
    )
}

/// The partner link type has no such role.
pub(crate) fn unknown_role<'a>(
    role: &str,
    known: impl IntoIterator<Item = &'a str>,
    span: Span,
) -> Diagnostic {
    let message = format!("the partner link type has no role `{role}`");
    super::unknown(&CODE, message, role, known, span)
}

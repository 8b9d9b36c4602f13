//! A variable of another type than the message.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1143",
    name: "message-mismatch",
    severity: Severity::Error,
    documentation: "\
## What it checks
The variable of a receive or a send holds messages of just the type that the operation carries, or the element that is its only part.

## Why it matters
The engine could not put the message there.

## Example
```
<variable name='x' messageType='t:cancelIn'/> … <receive operation='request' variable='x'/>
```

## Reference
L. Bentakouk, Definition 3.3.6; WS-BPEL 2.0, sections 10.3 and 10.4 ([SA00048], [SA00058]).
",
};

/// `variable` does not hold messages of type `message`.
pub(crate) fn diagnostic(variable: &str, message: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("`{variable}` does not hold messages of type `{message}`"),
        span,
        format!("`{message}` is expected"),
    )
}

/// The message has no part of this name.
pub(crate) fn part(message: &str, part: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("the message `{message}` has no part `{part}` of this type"),
        span,
        "does not fit",
    )
}

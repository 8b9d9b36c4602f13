//! Invokes and receives of one endpoint that can never meet.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0617",
    name: "arity-mismatch",
    severity: Severity::Warning,
    documentation: "\
## What it checks
Where an endpoint is both invoked and received at, every number of components that is sent is also received.

## Why it matters
Tuples of different lengths never match: the message would wait forever.

## Example
```
p.o!<a,b> | [X] p.o?<X>
```

## Reference
Matching is defined for tuples of one length only. Endpoints that are used at several lengths on purpose are not reported as long as each has both sides.
",
};

/// The lengths that are received.
pub(crate) fn diagnostic(
    span: Span,
    endpoint: &str,
    found: usize,
    received: &[usize],
) -> Diagnostic {
    let received: Vec<String> = received.iter().map(usize::to_string).collect();
    Diagnostic::new(
        &CODE,
        format!("`{endpoint}` is invoked with {found} components, but no receive takes {found}"),
        span,
        "this message can never be received",
    )
    .note(format!(
        "it is received with {} components",
        received.join(" or ")
    ))
}

//! A message of Chor that carries data.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0141",
    name: "chor-data",
    severity: Severity::Error,
    documentation: "\
## What it checks
Messages in a `.pact` file carry no data.

## Why it matters
Chor is about the order of messages only.
If data were read and then ignored, an audit would accept wrong values.

## Example
```
Request[1,2].<x> ; Response[2,1]     // write Request[1,2], or use a `.chor` file
```

## Reference
Nguyen's thesis, section 4.1.1: a basic activity is `skip` or `c[i,j]`.
",
};

/// The message at `span` has data.
pub(crate) fn diagnostic(span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        "messages in Chor carry no data",
        span,
        "this one does",
    )
    .note("a choreography with data is written in a `.chor` file or a SChorA script")
}

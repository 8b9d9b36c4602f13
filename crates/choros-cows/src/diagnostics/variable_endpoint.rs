//! A receive whose endpoint is not known.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0606",
    name: "receive-on-a-variable",
    severity: Severity::Error,
    documentation: "\
## What it checks
The partner and the operation of a receive are names.

## Why it matters
Received names can be used to invoke, never to receive: this is what keeps the place where a message is taken known in advance.

## Example
```
[X] p.o?<X>.X.r?<>      -- receives at an endpoint that was received
[X] p.o?<X>.X.r!<>      -- invokes it
```

## Reference
Fantechi et al., Table II: `p.o?w.s` has names where `u.u!e` may have variables.
",
};

/// A variable where a name must stand.
pub(crate) fn diagnostic(span: Span, name: &str, variable: &str) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &CODE,
        format!("a receive at an endpoint with the variable `{variable}`"),
        span,
        "expected a name here",
    );
    if name == variable {
        diagnostic
    } else {
        diagnostic.note(format!(
            "the definition is called with `{variable}` for `{name}`"
        ))
    }
}

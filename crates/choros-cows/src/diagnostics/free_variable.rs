//! A variable without delimitation.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0604",
    name: "free-variable",
    severity: Severity::Error,
    documentation: "\
## What it checks
Every variable is inside a delimitation `[X]` of that variable.

## Why it matters
The delimitation is the range in which a received value takes the place of the variable; without one, the term has no behaviour.

## Example
```
p.o?<X>.q.r!<X>           -- free
[X] p.o?<X>.q.r!<X>       -- delimited
```

## Reference
Fantechi et al., *A Logical Verification Methodology for Service-Oriented Computing*, section 4.1: transitions are defined for terms without free variables and free killer labels.
",
};

/// No delimitation around it.
pub(crate) fn diagnostic(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("the variable `{name}` is not delimited"),
        span,
        "free here",
    )
    .note(format!(
        "put `[{name}]` before the term that uses its value; names begin with a lower-case letter"
    ))
}

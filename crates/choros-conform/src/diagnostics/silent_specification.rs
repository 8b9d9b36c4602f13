//! A specification with silent steps.

use choros_base::{CodeInfo, Diagnostic, Severity};
use choros_model::stg::Stg;

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0402",
    name: "silent-specification",
    severity: Severity::Error,
    documentation: "\
## What it checks
The specification of a conformance question has no silent steps.

## Why it matters
A specification says what can be seen.
The relation that conformance is defined by lets the implementation move in silence, and only the implementation; what \
a silent step of a specification would ask of it is not defined.

## Example
```
stg spec explicit
initial 0
0 -> 1: tau
1 -> 2: Request[b,v]
2: end
```

## Reference
H. N. Nguyen, *A Symbolic Approach for the Verification and the Test of Service Choreographies*, 3.1.1: silent events \
appear by hiding and by projection, not in specifications.
",
};

/// The finding; `None` when no step is silent.
pub fn diagnostic(specification: &Stg) -> Option<Diagnostic> {
    let edge = specification
        .edges()
        .iter()
        .find(|edge| edge.event.is_silent())?;
    let message = format!(
        "the specification `{}` has a silent step",
        specification.name()
    );
    Some(match edge.origin {
        Some(span) => Diagnostic::new(&CODE, message, span, "no one can observe this"),
        None => Diagnostic::without_place(&CODE, message),
    })
}

//! Two services for one role.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

use super::quoted;

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0112",
    name: "role-played-twice",
    severity: Severity::Warning,
    documentation: "\
## What it checks
No two parts of a composition play the same role, and no part occurs twice.

## Why it matters
Each role is played by one service.
With two services, either may take a message sent to the role, which is rarely intended.

## Example
```
component services chorD
    buyer || other_buyer || vendor      // both buyers play `b`
end component
```

## Reference
Nguyen's thesis, section 2.1: roles and services correspond one to one.
",
};

/// The parts at `first` and `second` both play `role`.
pub(crate) fn diagnostic(role: &str, first: (&str, Span), second: (&str, Span)) -> Diagnostic {
    let parts = if first.0 == second.0 {
        format!("{} occurs twice", quoted(first.0))
    } else {
        format!("{} and {}", quoted(first.0), quoted(second.0))
    };
    let diagnostic = Diagnostic::new(
        &CODE,
        format!("{} is played twice: {parts}", quoted(role)),
        second.1,
        format!("plays {}", quoted(role)),
    );
    if first.1 == second.1 {
        diagnostic
    } else {
        diagnostic.label(first.1, format!("plays {} too", quoted(role)))
    }
}

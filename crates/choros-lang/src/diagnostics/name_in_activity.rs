//! A definition's name, or a channel without roles, inside an activity of Chor.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

use super::quoted;

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0142",
    name: "name-in-activity",
    severity: Severity::Error,
    documentation: "\
## What it checks
An activity is made of channels with their roles; the names of definitions are used in compositions only.

## Why it matters
A channel without roles says neither who sends nor who receives.
Chor has no calls, so a definition cannot be used inside another one; `system = buyer | seller` composes definitions.

## Example
```
order = Request[1,2]; Response       // meant: `Response[2,1]`
```

## Reference
Nguyen's thesis, sections 4.1.1 and 4.1.3.
",
};

/// `name` stands where an activity is expected.
pub(crate) fn diagnostic(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("{} has no roles", quoted(name)),
        span,
        "a channel is followed by its roles",
    )
    .note(format!("write `{name}[sender,receiver]`"))
}

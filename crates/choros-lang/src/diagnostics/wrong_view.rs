//! A statement in the wrong kind of declaration.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

use super::quoted;

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0130",
    name: "wrong-view",
    severity: Severity::Error,
    documentation: "\
## What it checks
A choreography is made of messages `a -> b: Op` between two roles; a role sends with `-> b: Op` and receives with `<- a: Op`, and includes no choreographies.

## Why it matters
A choreography describes all roles, a role only itself.

## Example
```
role buyer {
    buyer -> vendor: Request      // in a role, write `-> vendor: Request`
}
```

## Reference
Nguyen's thesis, Table 3.1.
",
};

/// A message without a sender or receiver in a choreography.
pub(crate) fn one_sided(span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        "a message in a choreography has a sender and a receiver",
        span,
        "one of them is missing",
    )
    .note("write `a -> b: Op`; `-> b: Op` and `<- a: Op` belong in a `role`")
}

/// A message with sender and receiver in the role `role`.
pub(crate) fn two_sided(span: Span, role: &str, written: (&str, &str), ends: Span) -> Diagnostic {
    let (from, to) = written;
    let diagnostic = Diagnostic::new(
        &CODE,
        "a role sends with `->` and receives with `<-`",
        span,
        "has a sender and a receiver",
    );
    if from == role {
        diagnostic.suggest("send it", ends, format!("-> {to}"))
    } else if to == role {
        diagnostic.suggest("receive it", ends, format!("<- {from}"))
    } else {
        diagnostic.note(format!("{} is neither of them", quoted(role)))
    }
}

/// A `do` in a role.
pub(crate) fn call(span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        "a role cannot include a choreography",
        span,
        "`do` belongs in choreographies",
    )
    .note("write out what this role does")
}

//! Tests of a choreography that is not well-formed.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0952",
    name: "ill-formed-choreography",
    severity: Severity::Error,
    documentation: "\
## What it checks
Tests are made from well-formed g-choreographies: every choice and loop has one decider, all others are informed, and threads share no interaction.

## Why it matters
A test of a choreography that its participants cannot follow may fail a component that does nothing wrong.
`--force` makes the tests anyway; each of them is still checked on the component's own machine.

## Example
```
choros tests g1.gc --force
```

## Reference
A. Coto, *A choreographic approach to model-driven testing of message-passing systems*, Theorem 3.11: tests of well-formed choreographies are suitable.
`choros check` says what is broken and how to fix it.
",
};

/// The choreography is not well-formed; `places` are what breaks it.
pub fn diagnostic(path: &str, places: Vec<(String, Option<Span>)>) -> Diagnostic {
    let mut diagnostic = Diagnostic::without_place(
        &CODE,
        format!("`{path}` is not well-formed, so tests of it may fail who does nothing wrong"),
    );
    let count = places.len();
    for (message, origin) in places.into_iter().take(MAX_PLACES) {
        diagnostic = match origin {
            Some(span) => diagnostic.label(span, message),
            None => diagnostic.note(message),
        };
    }
    if count > MAX_PLACES {
        diagnostic = diagnostic.note(format!("and {} more", count - MAX_PLACES));
    }
    diagnostic.note("`choros check` says how to fix it; `--force` makes the tests anyway")
}

/// More than this tell nothing new.
const MAX_PLACES: usize = 3;

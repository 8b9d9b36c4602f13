//! A machine that starts nowhere.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0832",
    name: "fsa-marking",
    severity: Severity::Error,
    documentation: "\
## What it checks
Every machine says with `.marking` in which state its runs start, and that state occurs in one of its transitions.
A machine without transitions has only the state that its marking names.

## Why it matters
A machine that starts in a state without transitions does nothing at all, which is hardly ever meant.

## Example
```
.outputs A
.state graph
0 1 ! hello 1
.marking 2
.end
```
No transition mentions state 2.

## Reference
The `.fsa` form of ChorGram.
",
};

/// The machine at `span` has no marking.
pub(crate) fn missing(span: Span, participant: &str, first: Option<&str>) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &CODE,
        format!("the machine of `{participant}` does not say where its runs start"),
        span,
        "`.marking STATE` is missing",
    );
    match first {
        Some(first) => diagnostic.note(format!("read as if it were `.marking {first}`")),
        None => diagnostic,
    }
}

/// The state at `span` is none of the machine's.
pub(crate) fn unknown_state(
    span: Span,
    state: &str,
    participant: &str,
    near: Option<&str>,
) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &CODE,
        format!("the machine of `{participant}` has no state `{state}`"),
        span,
        "no transition begins or ends there",
    );
    match near {
        Some(near) => diagnostic.suggest("a state with a similar name exists", span, near),
        None => diagnostic,
    }
}

//! A killer label without delimitation.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0605",
    name: "free-killer-label",
    severity: Severity::Error,
    documentation: "\
## What it checks
Every `kill(k)` is inside a delimitation `[k]` of that label.

## Why it matters
The delimitation is where the effect of the kill stops; without one, the term has no behaviour.

## Example
```
kill(k) | p.o!<>          -- free
[k](kill(k) | p.o!<>)     -- delimited
```

## Reference
Fantechi et al., section 4.1. Definitions have static scope: a label that is delimited where a definition is called must be passed as an argument.
",
};

/// No delimitation around it.
pub(crate) fn diagnostic(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("the killer label `{name}` is not delimited"),
        span,
        "free here",
    )
    .note(format!(
        "put `[{name}]` before the term that it is to end, or pass the label to the definition as an argument"
    ))
}

/// Something else is delimited under this name.
pub(crate) fn not_a_label(span: Span, name: &str, what: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("`{name}` is {what}, not a killer label"),
        span,
        "only a killer label can be killed",
    )
    .note("a killer label is delimited as `[k]`, with a small letter and without `#`")
}

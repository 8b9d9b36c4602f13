//! A choreography or system that contains itself.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

use super::quoted;

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0132",
    name: "inclusion-cycle",
    severity: Severity::Error,
    documentation: "\
## What it checks
No choreography includes itself through `do`, no system is a part of itself, and inclusions nest at most 400 blocks deep.

## Why it matters
`do` puts a copy in its place, so the graph would be infinite.
Repetition is written with `while` or `repeat`.

## Example
```
choreography Ping[a, b] { a -> b: Ping; do Ping[b, a] }
```

## Reference
`docs/language.md`.
",
};

/// `name` contains itself, through what stands at `span`.
pub(crate) fn cycle(span: Span, name: &str, declared: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("{} contains itself", quoted(name)),
        span,
        "includes it again",
    )
    .label(declared, "declared here")
    .note("write repetition with `while` or `repeat`")
}

/// Inclusions nest too deeply at `span`.
pub(crate) fn depth(span: Span, most: usize) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("inclusions nest more than {most} blocks deep"),
        span,
        "too deep from here on",
    )
}

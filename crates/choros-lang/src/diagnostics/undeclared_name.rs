//! A choreography, role, system or message that is not there.

use choros_base::{CodeInfo, Diagnostic, Severity, Span, nearest};

use super::quoted;

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0128",
    name: "undeclared-name",
    severity: Severity::Error,
    documentation: "\
## What it checks
`do` includes a choreography of the file; `system` composes roles, choreographies and systems of the file, and hides messages of its parts.

## Why it matters
A misspelt name would otherwise hide nothing, or compose something else.

## Example
```
system Impl = buyer || vendro      // there is no `vendro`
```

## Reference
`docs/language.md`.
",
};

/// There is no `what` called `name`.
pub(crate) fn diagnostic<'a>(
    span: Span,
    what: &str,
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &CODE,
        format!("there is no {what} {}", quoted(name)),
        span,
        "not declared in this file",
    );
    match nearest(name, candidates) {
        Some(similar) => diagnostic.suggest("one with a similar name exists", span, similar),
        None => diagnostic,
    }
}

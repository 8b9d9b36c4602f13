//! Two declarations of one name.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

use super::quoted;

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0129",
    name: "declared-again",
    severity: Severity::Error,
    documentation: "\
## What it checks
Types, values of types and constants have different names, and so do choreographies, roles and systems; a list of roles or parameters names each once.

## Why it matters
It would be unclear which one is meant.

## Example
```
type Status = OK | KO
type Answer = OK | Later      // is `OK` a Status or an Answer?
```

## Reference
`docs/language.md`.
",
};

/// `name`, declared at `first`, is declared again at `span`.
pub(crate) fn diagnostic(span: Span, name: &str, first: Option<Span>) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &CODE,
        format!("{} is declared twice", quoted(name)),
        span,
        "declared again",
    );
    match first {
        Some(first) => diagnostic.label(first, "declared here first"),
        None => diagnostic.note("the language itself uses this name"),
    }
}

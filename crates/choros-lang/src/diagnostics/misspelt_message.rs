//! A message without another end, and one of almost the same name with one.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

use super::quoted;

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0136",
    name: "misspelt-message",
    severity: Severity::Warning,
    documentation: "\
## What it checks
A message that a role of a `.chor` file sends or receives, and that occurs at no other place of the file, is not called almost like one that does.

## Why it matters
A misspelt message is not an error in itself: the other end may be described in another file.
But together the two services would wait forever.

## Example
```
role buyer { <- vendor: Confrim }
role vendor { -> buyer: Confirm }
```

## Reference
`docs/language.md`.
",
};

/// Nothing else in the file has the message `name`; `similar`, at `there`, is almost the same.
pub(crate) fn diagnostic(span: Span, name: &str, similar: &str, there: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("no other role has the message {}", quoted(name)),
        span,
        "only here",
    )
    .label(
        there,
        format!("{} is between the same roles", quoted(similar)),
    )
    .suggest("a message with a similar name exists", span, similar)
}

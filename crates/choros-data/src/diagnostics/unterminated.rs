//! A string or comment without its end.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0006",
    name: "unterminated",
    severity: Severity::Error,
    documentation: "\
## What it checks
A string ends with `\"` on the line it starts on; a comment `/*` ends with `*/`.

## Why it matters
Everything after it would silently become part of it.

## Example
```
[x = \"abc] |> Confirm[v,b]
```

## Reference
Comments do not nest.
",
};

/// A string that is not closed on its line.
pub(crate) fn text(span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        "this string is not closed",
        span,
        "it starts here and its line ends without `\"`",
    )
}

/// A comment that is not closed.
pub(crate) fn comment(span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        "this comment is not closed",
        span,
        "it starts here and the text ends without `*/`",
    )
}

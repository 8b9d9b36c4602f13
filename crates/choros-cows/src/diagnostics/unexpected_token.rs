//! A token that does not fit where it stands.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0601",
    name: "unexpected-token-in-term",
    severity: Severity::Error,
    documentation: "\
## What it checks
The text follows the grammar of COWS: after each word or sign comes one that may come there.

## Why it matters
The rest of the construct cannot be understood; reading continues after it, so that further mistakes are found in the same run.

## Example
```
p.o!<a, | q.r?<>      -- a value is missing after the comma
```

## Reference
The grammar is in the documentation of `choros-cows`.
",
};

/// The next token is not what was expected.
pub(crate) fn diagnostic(span: Span, text: &str, expected: &str) -> Diagnostic {
    let found = match text {
        "" => "the end of the text".to_owned(),
        text => format!("`{}`", text.chars().take(40).collect::<String>()),
    };
    Diagnostic::new(
        &CODE,
        format!("expected {expected}, found {found}"),
        span,
        format!("expected {expected}"),
    )
}

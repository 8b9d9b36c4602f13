//! A token that does not fit where it stands.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0001",
    name: "unexpected-token",
    severity: Severity::Error,
    documentation: "\
## What it checks
The text follows the grammar: after each word or sign comes one that may come there.

## Why it matters
The rest of the construct cannot be understood; parsing continues after it, so that further mistakes are found in the same run.

## Example
```
[x < ] |> Confirm[v,b]      // an expression is missing after `<`
```

## Reference
The grammar of expressions is in the documentation of `choros-data`, that of SChorA scripts in the documentation of `choros-lang`.
",
};

/// What stands at `span` is not what was expected.
pub(crate) fn diagnostic(span: Span, text: &str, expected: &str) -> Diagnostic {
    let found = match text {
        // Only the end has no text.
        "" => "the end of the text".to_owned(),
        // Languages in which a line ends a statement have a token for it.
        "\n" => "the end of the line".to_owned(),
        _ => format!("`{}`", shortened(text)),
    };
    Diagnostic::new(
        &CODE,
        format!("expected {expected}, found {found}"),
        span,
        format!("expected {expected}"),
    )
}

/// The text, or its beginning where it is long.
pub(crate) fn shortened(text: &str) -> String {
    const MAX_SHOWN_CHARACTERS: usize = 40;
    match text.char_indices().nth(MAX_SHOWN_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

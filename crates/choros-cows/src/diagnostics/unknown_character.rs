//! Characters that no token starts with.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0602",
    name: "unknown-character-in-term",
    severity: Severity::Error,
    documentation: "\
## What it checks
The text is made of identifiers, numbers, comments and the signs of COWS.

## Why it matters
Other characters come from a wrong file, a wrong encoding or a typo.

## Example
```
p•o!<a>      -- endpoints are written with a full stop: p.o!<a>
```

## Reference
Comments run from `--` or `//` to the end of the line, or from `/*` to `*/`.
",
};

/// Something that is none of the language.
pub(crate) fn diagnostic(span: Span, text: &str) -> Diagnostic {
    let shown: String = text.chars().take(10).collect();
    let diagnostic = Diagnostic::new(
        &CODE,
        format!("`{shown}` is not part of a term"),
        span,
        "not understood",
    );
    if shown.starts_with("/*") || shown.starts_with('/') {
        diagnostic.note("a comment that begins with `/*` ends with `*/`")
    } else {
        diagnostic
    }
}

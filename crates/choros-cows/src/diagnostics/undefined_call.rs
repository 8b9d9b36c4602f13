//! A call of something that is not defined.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0609",
    name: "undefined-call",
    severity: Severity::Error,
    documentation: "\
## What it checks
Every name that is called is defined between `let` and `in`.

## Why it matters
There is no term to replace the call with.

## Example
```
let Bank = p.o?<> in Bnak() end
```

## Reference
A definition may be used before the place where it is written.
",
};

/// Nothing has this name.
pub(crate) fn diagnostic(span: Span, name: &str, similar: Option<&str>) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &CODE,
        format!("`{name}` is not defined"),
        span,
        "no definition has this name",
    );
    match similar {
        Some(similar) => {
            diagnostic.suggest("a definition with a similar name exists", span, similar)
        }
        None => {
            diagnostic.note("definitions go between `let` and `in`: `let Name(x) = … in … end`")
        }
    }
}

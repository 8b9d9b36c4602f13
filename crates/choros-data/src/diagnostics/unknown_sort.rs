//! A sort that no one declared.

use choros_base::{CodeInfo, Diagnostic, Severity, Span, nearest};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0010",
    name: "unknown-sort",
    severity: Severity::Error,
    documentation: "\
## What it checks
A sort is `Bool`, `Int`, `Real`, `String`, `Symbol`, `List(…)`, a record `{label: sort}`, or one that is declared.

## Why it matters
Values of an unknown sort could not be compared with anything.

## Example
```
variables x: Integer      // `Int`
```

## Reference
The sorts are described in the documentation of `choros-data`.
",
};

/// No sort has this name.
pub(crate) fn diagnostic<'a>(
    span: Span,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &CODE,
        format!("there is no sort `{name}`"),
        span,
        "unknown sort",
    );
    match nearest(name, known) {
        Some(similar) => diagnostic.suggest("a sort with a similar name exists", span, similar),
        None => diagnostic,
    }
}

//! A group under rules that the file does not have.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0721",
    name: "unknown-rules",
    severity: Severity::Error,
    documentation: "\
## What it checks
The rules that a group names are in the same file, in quotes a file of rules, or `model` or `none`.

## Why it matters
Without its rules the questions of a group mean something else.

## Example
```
group charging using A { … }          // rules A { … } is missing
```

## Reference
The language of `.socl` files.
",
};

/// `known` are the sets of rules of the file.
pub(crate) fn diagnostic(span: Span, name: &str, known: &[&str]) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &CODE,
        format!("there are no rules named `{name}`"),
        span,
        "unknown",
    )
    .note("`model` means the rules in the model itself, `none` no rules, \"x.abs\" a file");
    match choros_base::nearest(name, known.iter().copied()) {
        Some(similar) => diagnostic.suggest("there are rules with a similar name", span, similar),
        None => diagnostic,
    }
}

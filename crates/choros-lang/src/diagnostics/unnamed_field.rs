//! A field that needs a name.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0134",
    name: "unnamed-field",
    severity: Severity::Error,
    documentation: "\
## What it checks
If a message has several fields, each has a name: that of its variable, or one given before `=`.

## Why it matters
The receiver finds fields by name, not by position.

## Example
```
vendor -> buyer: Bill(amount, 2 * amount)      // write `sum = 2 * amount`
```

## Reference
`docs/language.md`.
",
};

/// The field at `span` has no name.
pub(crate) fn diagnostic(span: Span) -> Diagnostic {
    let before = Span::new(span.file(), span.start().offset, span.start().offset);
    Diagnostic::new(
        &CODE,
        "this field has no name",
        span,
        "not a single variable",
    )
    .note("a message with several fields needs a name for each")
    .suggest("name it", before, "name = ")
}

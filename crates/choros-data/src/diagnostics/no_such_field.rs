//! A path into a record that leads nowhere.

use choros_base::{CodeInfo, Diagnostic, Severity, Span, nearest};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0008",
    name: "no-such-field",
    severity: Severity::Error,
    documentation: "\
## What it checks
A record has the field that a path asks for.

## Why it matters
The value would be missing when it is needed.

## Example
```
[order.wieght > 3] |> Confirm[v,b]      // order is {weight: Int}
```

## Reference
Record paths are written with dots: `order.address.country`.
",
};

/// The record has other fields.
pub(crate) fn diagnostic(span: Span, label: &str, sort: &str, labels: &[&str]) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &CODE,
        format!("{sort} has no field `{label}`"),
        span,
        format!("no field `{label}`"),
    );
    match nearest(label, labels.iter().copied()) {
        Some(similar) => {
            diagnostic.note(format!("a field with a similar name exists: `{similar}`"))
        }
        None => diagnostic,
    }
}

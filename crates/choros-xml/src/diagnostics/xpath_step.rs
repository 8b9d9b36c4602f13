//! A step to an element that is never there.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1118",
    name: "xpath-step",
    severity: Severity::Error,
    documentation: "\
## What it checks
Each step of a path leads to an element or attribute that the schema has at that place.

## Why it matters
A path that leads nowhere selects nothing: a comparison with it is always false, a copy of it always fails.

## Example
```
$order/totl > 10
```

## Reference
XML Path Language (XPath) 1.0, section 2.
",
};

/// The type called `of` has no child or attribute `step`.
pub(crate) fn diagnostic<'k>(
    step: &str,
    of: &str,
    known: impl IntoIterator<Item = &'k str>,
    span: Span,
) -> Diagnostic {
    let known: Vec<&str> = known.into_iter().collect();
    let diagnostic = Diagnostic::new(
        &CODE,
        format!("{of} has no `{step}`"),
        span,
        "leads nowhere",
    );
    match choros_base::nearest(step, known.iter().copied()) {
        Some(near) => diagnostic.note(format!("it has `{near}`, which is similar")),
        None if known.is_empty() => diagnostic.note("it has neither elements nor attributes"),
        None => diagnostic.note(format!("it has: {}", known.join(", "))),
    }
}

//! A variable or part that is not there.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1117",
    name: "xpath-variable",
    severity: Severity::Error,
    documentation: "\
## What it checks
A variable is declared; a part (`$variable.part`) is a part of its message type; a property has an alias for it.

## Why it matters
Names are matched exactly, letters and case.

## Example
```
$oder.body/total
```

## Reference
WS-BPEL 2.0, section 8.2.2.
",
};

/// `what` called `name` is not declared; `known` are those that are.
pub(crate) fn diagnostic<'k>(
    what: &str,
    name: &str,
    known: impl IntoIterator<Item = &'k str>,
    span: Span,
) -> Diagnostic {
    let known: Vec<&str> = known.into_iter().collect();
    let diagnostic = Diagnostic::new(
        &CODE,
        format!("there is no {what} `{name}`"),
        span,
        format!("no such {what}"),
    );
    match choros_base::nearest(name, known.iter().copied()) {
        Some(near) => diagnostic.note(format!("there is `{near}`, which is similar")),
        None if known.is_empty() => diagnostic,
        None => diagnostic.note(format!("there are: {}", known.join(", "))),
    }
}

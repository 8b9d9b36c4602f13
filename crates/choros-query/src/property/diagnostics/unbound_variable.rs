//! A condition over a value that no message gave.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1003",
    name: "unbound-value",
    severity: Severity::Error,
    documentation: "\
## What it checks
Every variable of a condition was bound by this message or by one before it in the property; alternatives do not see each other's variables.

## Why it matters
A condition over an unbound variable is neither true nor false.

## Example
```
context Request[c,s]?(weight = w) within 1 messages expect Response[s,c]!(fee = f) where f == w * p
```

## Reference
Definition 14: later candidate events may use variables of earlier ones. `at` is the time of the message at hand.
",
};

/// `name` holds nothing here.
pub(crate) fn diagnostic(span: Span, name: &str, similar: Option<&str>) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &CODE,
        format!("no message binds `{name}`"),
        span,
        "this holds no value here",
    );
    match similar {
        Some(similar) => {
            diagnostic.suggest("a variable with a similar name is bound", span, similar)
        }
        None => diagnostic
            .note("capitalised names are values of their own; others must be bound by a label"),
    }
}

//! A call of a function that does not exist.

use choros_base::{CodeInfo, Diagnostic, Severity, Span, nearest};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0003",
    name: "unknown-function",
    severity: Severity::Error,
    documentation: "\
## What it checks
Only built-in functions are called: `length(s)`, `concat(s, t)`, `prefix(p, s)`, `contains(s, t)`.

## Why it matters
An expression with an unknown function has no value.

## Example
```
[lenght(name) > 3] |> Confirm[v,b]      // `length`
```

## Reference
The functions are listed in the documentation of `choros-data`.
",
};

/// No function has this name.
pub(crate) fn diagnostic(span: Span, name: &str, name_span: Span) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &CODE,
        format!("there is no function `{name}`"),
        span,
        "unknown function",
    )
    .note(format!("the functions are {}", FUNCTIONS.join(", ")));
    match nearest(name, FUNCTIONS.iter().copied()) {
        Some(similar) => {
            diagnostic.suggest("a function with a similar name exists", name_span, similar)
        }
        None => diagnostic,
    }
}

/// The names of all functions.
pub(crate) const FUNCTIONS: [&str; 4] = ["length", "concat", "prefix", "contains"];

//! Two formulas or sets of rules with one name.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0720",
    name: "question-named-twice",
    severity: Severity::Error,
    documentation: "\
## What it checks
Formulas of one file have different names, and so have its sets of rules.

## Why it matters
A report names its answers; two answers of one name could not be distinguished.

## Example
```
F1: AG true;
F1: AG false;                            // F2
```

## Reference
The language of `.socl` files.
",
};

/// `what` is a formula or a set of rules.
pub(crate) fn diagnostic(span: Span, what: &str, name: &str, first: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("the {what} `{name}` is there twice"),
        span,
        "named again",
    )
    .label(first, "first here")
}

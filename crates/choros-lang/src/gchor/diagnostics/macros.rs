//! Macros, which are not read.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0808",
    name: "macro-in-gc",
    severity: Severity::Error,
    documentation: "\
## What it checks
ChorGram has macros, `let X = … in G` and `do X[G] with …`; Choros does not read them.

## Why it matters
The meaning of a macro cannot be guessed, so nothing is analysed.

## Example
```
let X = A -> B : m in do X
```

## Reference
E. Tuosto's ChorGram; reporting them instead of misreading them is our choice.
",
};

/// A macro begins at `span`.
pub(in crate::gchor) fn diagnostic(span: Span, word: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("macros such as `{word} …` are not supported"),
        span,
        "write out what it stands for",
    )
}

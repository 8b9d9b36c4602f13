//! A brace without its end.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0802",
    name: "unclosed-brace-in-gc",
    severity: Severity::Error,
    documentation: "\
## What it checks
Every `{` of a g-choreography has its `}`, and every `(` its `)`.

## Why it matters
Without it, the end of the branch, loop or thread is unknown.

## Example
```
sel A { A -> B : yes + A -> B : no
```

## Reference
E. Tuosto's ChorGram.
",
};

/// The brace at `open` has not ended at `end`.
pub(in crate::gchor) fn diagnostic(open: Span, sign: &str, end: Span) -> Diagnostic {
    let closing = if sign == "(" { ")" } else { "}" };
    Diagnostic::new(
        &CODE,
        format!("this `{sign}` has no `{closing}`"),
        open,
        "never closed",
    )
    .suggest(format!("add `{closing}`"), end, closing)
}

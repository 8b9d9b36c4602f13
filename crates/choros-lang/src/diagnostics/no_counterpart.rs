//! Something that g-choreographies have no words for.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0143",
    name: "no-counterpart",
    severity: Severity::Error,
    documentation: "\
## What it checks
A choreography to be translated to a g-choreography (`choros fmt shop.chor --as gc`) uses only what both languages have:
messages without data, sequence, `choice`, `par`, `repeat`, `do` and `skip`.

## Why it matters
G-choreographies have no data, no time and no interruption. Dropping these would give a different choreography, with runs that the original forbids.

## Example
```
choreography Shop[b, v] {
    b -> v: Order(amount: Int)      // data in a message
    wait 3                          // time
}
```

## Reference
Tuosto and Guanciale, \"Semantics of global view of choreographies\", 2018; `docs/language.md`.
",
};

/// `what` stands at `span`.
pub(crate) fn diagnostic(span: Span, what: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("g-choreographies cannot express {what}"),
        span,
        "has no counterpart",
    )
}

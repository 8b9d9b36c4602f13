//! Guards, which mean nothing here.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0809",
    name: "guard-in-gc",
    severity: Severity::Information,
    documentation: "\
## What it checks
`unless A % guard` belongs to the reversible semantics of ChorGram.

## Why it matters
The branch or the loop is analysed as if the guard were not there.

## Example
```
repeat A { A -> B : m unless A % enough }
```

## Reference
E. Tuosto's ChorGram.
",
};

/// Guards are read, and mean nothing here.
pub(in crate::gchor) fn diagnostic(span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        "guards of reversible choreographies are ignored here",
        span,
        "`fmt` keeps it, everything else ignores it",
    )
}

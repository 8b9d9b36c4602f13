//! A killer label where a value stands.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0613",
    name: "killer-label-as-value",
    severity: Severity::Error,
    documentation: "\
## What it checks
Killer labels occur in `kill(k)` and as arguments of definitions only.

## Why it matters
A label cannot be communicated: only what is inside its delimitation can be ended with it.

## Example
```
[k](p.o!<k> | kill(k))
```

## Reference
Fantechi et al., section 4.1: expressions never contain killer labels.
",
};

/// A label in an endpoint or a tuple.
pub(crate) fn diagnostic(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("the killer label `{name}` is used as a name"),
        span,
        "labels cannot be communicated",
    )
    .note(format!("a private name is delimited as `[{name}#]`"))
}

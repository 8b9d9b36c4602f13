//! A purpose without `#`.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1208",
    name: "purpose-never-accepts",
    severity: Severity::Warning,
    documentation: "\
## What it checks
Some transition `#` can be reached.

## Why it matters
Only paths through `#` are kept, so without one the product with any model is empty.

## Example
```
purpose p
T0: *
```

## Reference
Definition 3.3.8 and Algorithm 9 of Bentakouk, \"Symbolic Testing Approach of Composite Web Services\".
",
};

/// No `#` can be reached.
pub(crate) fn diagnostic(span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        "the purpose is never reached: there is no transition `#`",
        span,
        "its product with any model is empty",
    )
    .note("write `T1 -> T2: #` where the purpose is reached, or `T1: #` to stay there")
}

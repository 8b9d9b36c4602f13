//! A variable twice in one action.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0705",
    name: "variable-repeated-in-action",
    severity: Severity::Error,
    documentation: "\
## What it checks
The variables that one action binds are different.

## Why it matters
One step cannot give a variable two values; equality of two data of one action cannot be asked in this logic.

## Example
```
[ request(i,$v,$v) ] true                // [ request(i,$v,$w) ] true
```

## Reference
Fantechi et al., definition 2.4.
",
};

/// The second occurrence.
pub(crate) fn diagnostic(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("variable `{name}` occurs twice in one action"),
        span,
        "bound already",
    )
}

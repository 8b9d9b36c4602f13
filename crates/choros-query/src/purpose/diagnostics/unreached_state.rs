//! A state that nothing leads to.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1207",
    name: "unreached-purpose-state",
    severity: Severity::Warning,
    documentation: "\
## What it checks
Every state of a purpose can be reached from its initial state.

## Why it matters
Nothing after an unreachable state has any effect.

## Example
```
initial T0
T0: *
T1 -> T2: #                    // nothing leads to T1
```

## Reference
A check of our own, not from the thesis.
",
};

/// Nothing leads to the state.
pub(crate) fn diagnostic(span: Span, state: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("the state `{state}` of the purpose cannot be reached"),
        span,
        "no transition leads here from the initial state",
    )
}

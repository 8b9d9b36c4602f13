//! A purpose that writes a variable of the model.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1205",
    name: "purpose-writes-model",
    severity: Severity::Error,
    documentation: "\
## What it checks
A purpose writes variables of its own only.

## Why it matters
A purpose selects runs of the model; one that writes the model's variables would make runs that the model does not have.

## Example
```
T0 -> T1: tau / end := true    // `end` belongs to the model
```

## Reference
Definition 3.3.7 of Bentakouk, \"Symbolic Testing Approach of Composite Web Services\": V_I is disjoint from V_B, and the purpose assigns V_I only.
",
};

/// The variable belongs to the model.
pub(crate) fn diagnostic(span: Span, variable: &str) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("`{variable}` belongs to the model"),
        span,
        "a purpose writes variables of its own only",
    )
}

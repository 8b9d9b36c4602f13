//! A variable that neither model nor purpose has.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1204",
    name: "unknown-purpose-variable",
    severity: Severity::Error,
    documentation: "\
## What it checks
Every variable in a purpose is one of the model, or one of its own that it declares, assigns or binds.

## Why it matters
A name without a value is probably misspelt; as a free value it would make every guard satisfiable.

## Example
```
T0 -> T1: [fse >= 10] tau      // the model has `fee`
```

## Reference
Definition 3.3.7 of Bentakouk, \"Symbolic Testing Approach of Composite Web Services\": V_TP = V_I ∪ V_B.
",
};

/// No one has this variable; `similar` is one that someone has.
pub(crate) fn diagnostic(span: Span, variable: &str, similar: Option<&str>) -> Diagnostic {
    let found = Diagnostic::new(
        &CODE,
        format!("neither the model nor the purpose has a variable `{variable}`"),
        span,
        "in this expression",
    );
    match similar {
        Some(similar) => found.note(format!("there is a variable `{similar}`")),
        None => found,
    }
}

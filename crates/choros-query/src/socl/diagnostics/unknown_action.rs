//! An action of a formula that no step of the model has.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0732",
    name: "unknown-action",
    severity: Severity::Warning,
    documentation: "\
## What it checks
Each action of a formula is an action of some step of the model, and each proposition one of some state.
Steps have the names of their messages, or what abstraction rules make of them.

## Why it matters
`AG [nosuch] false` holds in every model that has no message `nosuch`.
A misspelt name looks like success.

## Example
```
choros verify shop.chor --formula 'AG [Chrage] AF {Charged} true'      # Charge
```

## Reference
The verdict stays as it is.
",
};

/// `what` is a step or a state.
pub(crate) fn diagnostic(span: Span, name: &str, what: &str, similar: Option<&str>) -> Diagnostic {
    let found = Diagnostic::new(
        &CODE,
        format!("no {what} of the model is `{name}`"),
        span,
        format!("never true of a {what}"),
    );
    match similar {
        Some(similar) => found.suggest("a similar name is there", span, similar.to_owned()),
        None => found,
    }
}

//! An event that the model does not have.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1203",
    name: "event-not-in-model",
    severity: Severity::Error,
    documentation: "\
## What it checks
The events of a purpose are events of the model: the partner exists, the operation exists between the two, it goes in this direction and carries this fault.

## Why it matters
A purpose that waits for something that never happens selects nothing.

## Example
```
T0 -> T1: USER.slect?          // the model has USER.select?
```

## Reference
Definition 3.3.7 of Bentakouk, \"Symbolic Testing Approach of Composite Web Services\": event labels must be those of the model.
",
};

/// The model has no such event; `similar` is one that it has.
pub(crate) fn diagnostic(span: Span, event: &str, similar: Option<&str>) -> Diagnostic {
    let found = Diagnostic::new(
        &CODE,
        format!("the model has no event `{event}`"),
        span,
        "no transition of the model does this",
    );
    match similar {
        Some(similar) => found.suggest("the model has a similar event", span, similar),
        None => found,
    }
}

/// A message without such a field.
pub(crate) fn field(span: Span, event: &str, fields: usize) -> Diagnostic {
    let has = match fields {
        0 => "carries nothing".to_owned(),
        1 => "carries one value".to_owned(),
        many => format!("carries {many} values"),
    };
    Diagnostic::new(
        &CODE,
        format!("the message `{event}` has no such field"),
        span,
        format!("it {has}"),
    )
}

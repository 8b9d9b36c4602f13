//! A line of an `.aut` file that is not a transition.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0202",
    name: "aut-transition",
    severity: Severity::Error,
    documentation: "\
## What it checks
Every line after the header of an Aldebaran file is `(source, label, target)`, where source and target are numbers of states and the label may be quoted.

## Why it matters
A transition that is not understood would silently be missing from the system.

## Example
```
des (0, 1, 2)
(0, \"coin\" 1)
```
A comma is missing after the label.

## Reference
The AUT format of the CADP toolbox.
Labels without quotes may contain commas; `i` and `tau` are the silent step.
",
};

/// The line at `span` is not a transition.
pub(crate) fn malformed(span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        "a line of an Aldebaran file is `(source, label, target)`",
        span,
        "this is not a transition and is ignored",
    )
}

/// The number at `span` would need more states than can be meant.
pub(crate) fn state_too_large(span: Span, largest: u32) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        "this number of a state is too large",
        span,
        "this transition is left out",
    )
    .note(format!(
        "with so few transitions, states are numbered up to {largest}"
    ))
}

/// There were more such lines than are worth telling.
pub(crate) fn further(count: usize) -> Diagnostic {
    Diagnostic::without_place(
        &CODE,
        format!("{count} more lines are not transitions and are ignored"),
    )
}

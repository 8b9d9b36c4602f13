//! A call with too few or too many arguments.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0610",
    name: "wrong-number-of-arguments",
    severity: Severity::Error,
    documentation: "\
## What it checks
A definition is called with as many arguments as it has parameters.

## Why it matters
The extra arguments would have no meaning, and missing ones no value.

## Example
```
let Client(c, id) = c.ok?<id> in Client(a) end
```

## Reference
Private names and killer labels are arguments too: definitions have static scope.
",
};

/// The numbers differ.
pub(crate) fn diagnostic(
    span: Span,
    definition: Span,
    name: &str,
    expected: usize,
    found: usize,
) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("`{name}` has {expected} parameters and is called with {found} arguments"),
        span,
        "called here",
    )
    .label(definition, "defined here")
}

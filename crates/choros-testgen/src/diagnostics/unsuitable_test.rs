//! A test that the model itself does not pass.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0843",
    name: "unsuitable-test",
    severity: Severity::Warning,
    documentation: "\
## What it checks
The machine from which a test was made passes the test.

## Why it matters
Theorem 3.11 promises it for well-formed choreographies.
A component that does exactly what the model says would fail such a test, so the test says nothing about components.

## Example
```
choros tests ill-branched.fsa
```

## Reference
Coto's thesis, Definition 3.7 and Theorem 3.11.
The usual reasons are a choreography that is not well-branched, and machines that were not made from one.
",
};

/// The test called `name` is not passed by the machine that the model has for the component.
pub fn diagnostic(name: &str, role: &str, reason: &str) -> Diagnostic {
    Diagnostic::without_place(
        &CODE,
        format!("`{name}` is not suitable: the model's own machine of `{role}` does not pass it"),
    )
    .note(reason.to_owned())
}

/// Whether the test is suitable was not decided.
pub fn undecided(name: &str, reason: &str) -> Diagnostic {
    Diagnostic::without_place(
        &CODE,
        format!("whether `{name}` is suitable was not decided"),
    )
    .note(reason.to_owned())
}

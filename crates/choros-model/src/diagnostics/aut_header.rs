//! An `.aut` file that does not begin as it should.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0201",
    name: "aut-header",
    severity: Severity::Error,
    documentation: "\
## What it checks
The first line of an Aldebaran file is `des (initial, transitions, states)`, with three numbers.

## Why it matters
It says where runs start; without it the file may well be something else.

## Example
```
des (0, 3)
(0, \"coin\", 1)
```
The number of states is missing.

## Reference
The AUT format of the CADP toolbox: `des (0, 1, 2)`, then one `(source, label, target)` per line.
",
};

/// The line at `span` is not a header.
pub(crate) fn diagnostic(span: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        "an Aldebaran file begins with `des (initial, transitions, states)`",
        span,
        "this is not such a header",
    )
    .note("read as if runs started in state 0")
}

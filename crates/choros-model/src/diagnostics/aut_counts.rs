//! An `.aut` file whose header counts wrongly.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0203",
    name: "aut-counts",
    severity: Severity::Warning,
    documentation: "\
## What it checks
The numbers of transitions and states in the header of an Aldebaran file are those of the file.

## Why it matters
A file that was cut off, or pasted together, shows itself this way.

## Example
```
des (0, 2, 2)
(0, \"coin\", 1)
```
Two transitions are announced and one is there.

## Reference
The AUT format of the CADP toolbox.
The transitions themselves are what counts: the system is read as they give it.
",
};

/// The header at `span` announces `announced` and the file has `found`.
pub(crate) fn diagnostic(span: Span, what: &str, announced: u64, found: usize) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("the header announces {announced} {what}, the file has {found}"),
        span,
        "announced here",
    )
}

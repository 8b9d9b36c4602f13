//! A part of a graph in XML that is missing or not understood.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1091",
    name: "stga-part",
    severity: Severity::Error,
    documentation: "\
## What it checks
Each transition of a `.stga` file names a source and a destination that are states of the file, and an event that is internal or has a name, a sender, a receiver and a direction; the initial state exists.

## Why it matters
A transition that is left out makes right logs look wrong, and a wrong one makes wrong logs look right.

## Example
```
<transition><source>0</source><destination>7</destination> … </transition>
```
where no state is called `7`.

## Reference
Definition 12 of Nguyen's thesis; directions are `sending`, `reception` and `interaction`.
",
};

/// Something is wrong with the part at `span`.
pub(crate) fn diagnostic(span: Span, what: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&CODE, what, span, "here")
}
